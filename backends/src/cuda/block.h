// Block kernels: array operands, the threads that share an item, loops over lanes, reductions in the canonical order. After prelude.h.

namespace lc {

// ---- array operands

struct Clamp {
    LC_FN u64 of(i64 i, i64 n) { return u64(i < 0 ? 0 : i < n ? i : n - 1); }
};
struct Wrap {
    LC_FN u64 of(i64 i, i64 n) { return u64((i % n + n) % n); }
};
struct Mirror {
    LC_FN u64 of(i64 i, i64 n) {
        if (n == 1) return 0;
        const i64 period = 2 * n - 2, k = (i % period + period) % period;
        return u64(k < period - k ? k : period - k);
    }
};

template <class T, u32 N> struct View {
    u8 *at;
    u64 shape[N];
    i64 step[N]; // bytes
    __device__ __forceinline__ bool holds(const u64 (&i)[N]) const {
        bool all = true;
        for (u32 d = 0; d < N; ++d) all &= i[d] < shape[d];
        return all;
    }
    __device__ __forceinline__ memory_t<T> *place(const u64 (&i)[N]) const {
        i64 bytes = 0;
        for (u32 d = 0; d < N; ++d) bytes += i64(i[d]) * step[d];
        return reinterpret_cast<memory_t<T> *>(at + bytes);
    }
    template <class... I> __device__ __forceinline__ T load(Cx &cx, I... index) const {
        const u64 i[N] = {index...};
        if (holds(i)) return loaded<T>(*place(i));
        cx.fault(OUT_OF_RANGE);
        return loaded<T>(memory_t<T>(0));
    }
    template <class E, class... I> __device__ __forceinline__ T load_at(Cx &cx, E, I... index) const {
        u64 i[N] = {index...};
        for (u32 d = 0; d < N; ++d) {
            if (i[d] >= shape[d] && shape[d] != 0) i[d] = E::of(i64(i[d]), i64(shape[d]));
        }
        if (holds(i)) return loaded<T>(*place(i));
        cx.fault(OUT_OF_RANGE);
        return loaded<T>(memory_t<T>(0));
    }
    template <class O, class... I> __device__ __forceinline__ T load_or(O other, I... index) const {
        const u64 i[N] = {index...};
        return holds(i) ? loaded<T>(*place(i)) : T(other);
    }
    template <class V, class... I> __device__ __forceinline__ void store(Cx &cx, V value, I... index) const {
        const u64 i[N] = {index...};
        if (holds(i)) *place(i) = stored<T>(T(value));
        else cx.fault(OUT_OF_RANGE);
    }
    template <class R, class V, class... I> __device__ __forceinline__ void update(Cx &cx, V value, I... index) const {
        const u64 i[N] = {index...};
        if (holds(i)) *place(i) = stored<T>(R::of(loaded<T>(*place(i)), T(value)));
        else cx.fault(OUT_OF_RANGE);
    }
};

// ---- the threads of a block, which work on one item

// Room for a word of each thread; who uses it ends with a barrier. Values of several words, as tuples are, go word by word.
static const u32 MAX_THREADS = 1024;
__shared__ u64 exchange[MAX_THREADS];
template <class T> union Words {
    static const u32 count = (sizeof(T) + 7) / 8;
    u64 word[count];
    T value;
    __device__ __forceinline__ Words() : word{} {}
    __device__ __forceinline__ Words(T x) : word{} { value = x; }
};

struct Team {
    __device__ __forceinline__ u32 thread() const { return threadIdx.x; }
    __device__ __forceinline__ u32 threads() const { return blockDim.x; }
    __device__ __forceinline__ bool first() const { return threadIdx.x == 0; }
    // All threads have come here, and see what each has written; a fault of one is one of all.
    __device__ __forceinline__ void meet(Cx &cx) const {
        if (__syncthreads_or(cx.failed)) cx.fault(ELSEWHERE);
    }
    // The value of thread `from`, which may be another for each thread.
    template <class T> __device__ __forceinline__ T of_thread(u32 from, T x) const {
        const Words<T> own(x);
        Words<T> other;
        for (u32 w = 0; w < Words<T>::count; ++w) {
            exchange[thread()] = own.word[w];
            __syncthreads();
            other.word[w] = exchange[from];
            __syncthreads();
        }
        return other.value;
    }
    // The first thread's value, in all.
    template <class T> __device__ __forceinline__ T share(T x) const { return of_thread(0, x); }
};

// ---- arrays that the lanes of a loop share

template <class T> struct elements { static const u64 count = 1; using type = T; };
template <class T, u64 N> struct elements<array<T, N>> {
    static const u64 count = N * elements<T>::count;
    using type = typename elements<T>::type;
};
// `x` in every element, written by all threads.
template <class A, class V> LC_FN void fill(Cx &cx, const Team &team, A &a, V x) {
    using E = typename elements<A>::type;
    team.meet(cx);
    for (u64 k = team.thread(); k < elements<A>::count; k += team.threads()) reinterpret_cast<E *>(&a)[k] = E(x);
    team.meet(cx);
}
template <class A> LC_FN A &tile(Cx &, A &a) { return a; }
template <class A, class... I> LC_FN auto &tile(Cx &cx, A &a, u64 i, I... rest) { return tile(cx, at(cx, a, i), rest...); }

// ---- loops over lanes

template <class A, class B> LC_FN u64 count(A start, B end, u64 step) {
    const u64 a = u64(start), b = u64(end);
    return a < b ? (b - a + step - 1) / step : 0;
}
template <class F> LC_FN void lanes(Cx &, const Team &team, u64 n, F body) {
    for (u64 k = team.thread(); k < n; k += team.threads()) body(k);
}

// What values are combined by, and what leaves the other as it is: of floats -0 for sums, and for `min` and `max` a NaN, which loses.
template <class T> LC_FN T smallest() { if constexpr (kind<T>::is_int) return of<T>::MIN_(); else return of<T>::NAN_(); }
template <class T> LC_FN T largest() { if constexpr (kind<T>::is_int) return of<T>::MAX_(); else return of<T>::NAN_(); }
struct Sum {
    template <class T> LC_FN T identity() { if constexpr (kind<T>::is_int) return T(0); else return lit<T>(-0.0f, -0.0); }
    template <class T> LC_FN T of(T a, T b) { return op<T>::add(a, b); }
};
struct Product {
    template <class T> LC_FN T identity() { return lc::of<T>::ONE_(); }
    template <class T> LC_FN T of(T a, T b) { return op<T>::mul(a, b); }
};
struct Min {
    template <class T> LC_FN T identity() { return largest<T>(); }
    template <class T> LC_FN T of(T a, T b) { return a < b || b != b ? a : b; }
};
struct Max {
    template <class T> LC_FN T identity() { return smallest<T>(); }
    template <class T> LC_FN T of(T a, T b) { return a > b || b != b ? a : b; }
};
struct And {
    template <class T> LC_FN T identity() { if constexpr (same<T, bool>::value) return true; else return T(~T(0)); }
    template <class T> LC_FN T of(T a, T b) { return T(a & b); }
};
struct Or {
    template <class T> LC_FN T identity() { return T(0); }
    template <class T> LC_FN T of(T a, T b) { return T(a | b); }
};
struct Xor {
    template <class T> LC_FN T identity() { return T(0); }
    template <class T> LC_FN T of(T a, T b) { return T(a ^ b); }
};
// `scatter_last`
struct Last {
    template <class T> LC_FN T of(T, T b) { return b; }
};

// An operation of the kernel's own. What the variable is in front of the loop leaves the other as it is.
template <class T, class F> struct Own {
    F f;
    T start;
    template <class> __device__ __forceinline__ T identity() const { return start; }
    __device__ __forceinline__ T of(T a, T b) const { return f(a, b); }
};

// Whether a chunk has 64 accumulators: 32 where a value, or one of a tuple, has 8 bytes.
template <class T> struct is_narrow { static const bool value = sizeof(T) < 8; };
template <class... T> struct is_narrow<tuple<T...>> { static const bool value = (is_narrow<T>::value && ...); };

// The results of the chunks so far, combined pairwise as they come.
template <class R, class T> struct Chunks {
    R by;
    T partial[48];
    u64 chunks = 0;
    __device__ __forceinline__ Chunks(R r) : by(r) {}
    __device__ __forceinline__ void push(T value) {
        u32 level = 0;
        while (chunks >> level & 1) {
            value = by.of(partial[level], value);
            ++level;
        }
        partial[level] = value;
        ++chunks;
    }
    __device__ __forceinline__ T all() const {
        T value = by.template identity<T>();
        bool any = false;
        for (u32 level = 0; level < 48; ++level) {
            if (!(chunks >> level & 1)) continue;
            value = any ? by.of(partial[level], value) : partial[level];
            any = true;
        }
        return value;
    }
};

// A reduction of a loop that all threads share: this thread's two accumulators of a chunk (one of 8 bytes). All threads have the results of chunks.
template <class R, class T> struct Reduction : Chunks<R, T> {
    static const bool two = is_narrow<T>::value;
    T own[2];
    __device__ __forceinline__ Reduction(R r = R()) : Chunks<R, T>(r) {}
    __device__ __forceinline__ void begin() { own[0] = own[1] = this->by.template identity<T>(); }
    __device__ __forceinline__ T &slot(u64 k) { return own[two ? k >> 5 & 1 : 0]; }
    // The chunk of this thread's warp, combined by halves; then those of all warps that have one.
    __device__ __forceinline__ void end(const Team &team, u32 count) {
        const u32 t = team.thread(), lane = t & 31;
        T value = two ? this->by.of(own[0], own[1]) : own[0];
        for (u32 half = 16; half > 0; half /= 2) {
            const T other = team.of_thread(lane < half ? t + half : t, value);
            if (lane < half) value = this->by.of(value, other);
        }
        static_assert(Words<T>::count <= 32, "a warp's result has room for 32 words");
        const Words<T> own_words(value);
        if (lane == 0) {
            for (u32 w = 0; w < Words<T>::count; ++w) exchange[t + w] = own_words.word[w];
        }
        __syncthreads();
        for (u32 warp = 0; warp < count; ++warp) {
            Words<T> result;
            for (u32 w = 0; w < Words<T>::count; ++w) result.word[w] = exchange[32 * warp + w];
            this->push(result.value);
        }
        __syncthreads();
    }
};

// A reduction of a loop that one thread runs: all accumulators of a chunk.
template <class R, class T> struct SerialReduction : Chunks<R, T> {
    static const u32 count = is_narrow<T>::value ? 64 : 32;
    T own[count];
    __device__ __forceinline__ SerialReduction(R r = R()) : Chunks<R, T>(r) {}
    __device__ __forceinline__ void begin() {
        for (u32 k = 0; k < count; ++k) own[k] = this->by.template identity<T>();
    }
    __device__ __forceinline__ T &slot(u64 k) { return own[k % count]; }
    __device__ __forceinline__ void end() {
        for (u32 half = count / 2; half > 0; half /= 2) {
            for (u32 k = 0; k < half; ++k) own[k] = this->by.of(own[k], own[k + half]);
        }
        this->push(own[0]);
    }
};

// A row in order, by one thread.
template <class F, class... R> LC_FN void serial(Cx &cx, const Team &team, u64 n, F body, R &...reductions) {
    if (!team.first()) return;
    for (u64 from = 0; from < n && !cx.failed; from += 4096) {
        const u64 end = n - from < 4096 ? n : from + 4096;
        (reductions.begin(), ...);
        for (u64 k = from; k < end && !cx.failed; ++k) body(k, reductions.slot(k)...);
        (reductions.end(), ...);
    }
}

// A row: chunks of 4096 iterations, one per warp at a time; iteration k belongs to lane k mod 32.
template <class F, class... R> LC_FN void reduce(Cx &cx, const Team &team, u64 n, F body, R &...reductions) {
    const u64 chunks = (n + 4095) / 4096;
    const u32 warps = team.threads() / 32, warp = team.thread() / 32, lane = team.thread() & 31;
    for (u64 from = 0; from < chunks; from += warps) {
        (reductions.begin(), ...);
        const u64 chunk = from + warp;
        if (chunk < chunks) {
            const u64 end = chunk + 1 < chunks ? (chunk + 1) * 4096 : n;
            for (u64 k = chunk * 4096 + lane; k < end; k += 32) body(k, reductions.slot(k)...);
        }
        const u32 count = chunks - from < warps ? u32(chunks - from) : warps;
        (reductions.end(team, count), ...);
    }
}

// Where the items of K operands lie, and their axes: D dimensions of the signature, up to 4 axes each.
template <u32 K, u32 D> struct Items {
    u64 count;
    u64 dim[D ? D : 1];
    i64 step[K];    // bytes from item to item
    i64 axis[K][4]; // bytes from element to element on each axis
};

} // namespace lc

// Lanecraft's operations in CUDA C++: what Rust means by them, bit for bit.
//
// Compile with --fmad=false: a * b + c is two roundings unless it is written as one. The code is C++17.
// A host compiler takes it too (-ffp-contract=off), after host.h, which stands for what CUDA declares.

#define LC_FN static __device__ __forceinline__
#define LC_TABLE static __device__ const
// The infinities and NaN: by their bits, and in tables, which have to be constants, by products that overflow.
#define LC_BITS_F32(bits) lc::f32_of(bits)
#define LC_BITS_F64(bits) lc::f64_of(bits)
#define LC_CONST_F32(bits) ((bits) == 0x7f800000u ? 3e38f * 3e38f : (bits) == 0xff800000u ? -(3e38f * 3e38f) : 3e38f * 3e38f * 0.0f)
#define LC_CONST_F64(bits) ((bits) == 0x7ff0000000000000ull ? 1e308 * 1e308 : (bits) == 0xfff0000000000000ull ? -(1e308 * 1e308) : 1e308 * 1e308 * 0.0)

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

// Numbers of 16 bits in memory; a kernel computes with them in f32, and rounds where it stores.
struct f16 { f32 v; };
struct bf16 { f32 v; };

#define LC_HALF(T) \
    LC_FN T operator+(T a, T b) { return T{a.v + b.v}; } \
    LC_FN T operator-(T a, T b) { return T{a.v - b.v}; } \
    LC_FN T operator*(T a, T b) { return T{a.v * b.v}; } \
    LC_FN T operator/(T a, T b) { return T{a.v / b.v}; } \
    LC_FN T operator-(T a) { return T{-a.v}; } \
    LC_FN bool operator==(T a, T b) { return a.v == b.v; } \
    LC_FN bool operator!=(T a, T b) { return a.v != b.v; } \
    LC_FN bool operator<(T a, T b) { return a.v < b.v; } \
    LC_FN bool operator<=(T a, T b) { return a.v <= b.v; } \
    LC_FN bool operator>(T a, T b) { return a.v > b.v; } \
    LC_FN bool operator>=(T a, T b) { return a.v >= b.v; }
LC_HALF(f16)
LC_HALF(bf16)
#undef LC_HALF

namespace lc {

// ---- what goes wrong: the first fault of an element

enum { DIVISION_BY_ZERO = 0, OUT_OF_RANGE = 1, ELSEWHERE = 2 }; // ELSEWHERE: another thread has noted it

struct Cx {
    bool failed = false;
    u32 kind = 0;
    __device__ __forceinline__ void fault(u32 what) {
        if (!failed) { failed = true; kind = what; }
    }
    // Notes the lowest element with a fault: its index times 2, plus the kind.
    __device__ __forceinline__ void report(u64 *word, u64 element) const {
        if (failed && kind != ELSEWHERE) atomicMin(word, element * 2 + kind);
    }
};

// ---- types

template <bool C, class A, class B> struct if_ { using type = A; };
template <class A, class B> struct if_<false, A, B> { using type = B; };
template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };
template <class A> struct bare { using type = A; };
template <class A> struct bare<const A> { using type = A; };
template <class A> struct bare<A &> { using type = typename bare<A>::type; };

// A type that is not known.
struct any {};

template <class T> struct kind { static constexpr bool is_int = false, is_float = false, is_half = false; };
#define LC_INT(T, U, S) template <> struct kind<T> { \
    static constexpr bool is_int = true, is_float = false, is_half = false, is_signed = S; using bits = U; };
LC_INT(i8, u8, true) LC_INT(i16, u16, true) LC_INT(i32, u32, true) LC_INT(i64, u64, true)
LC_INT(u8, u8, false) LC_INT(u16, u16, false) LC_INT(u32, u32, false) LC_INT(u64, u64, false)
#undef LC_INT
template <> struct kind<f32> { static constexpr bool is_int = false, is_float = true, is_half = false; using bits = u32; };
template <> struct kind<f64> { static constexpr bool is_int = false, is_float = true, is_half = false; using bits = u64; };
template <> struct kind<f16> { static constexpr bool is_int = false, is_float = false, is_half = true; using bits = u16; };
template <> struct kind<bf16> { static constexpr bool is_int = false, is_float = false, is_half = true; using bits = u16; };
template <class T> using bits_t = typename kind<T>::bits;
template <class T> using unsigned_t = typename kind<T>::bits;
// What an integer is computed in, so that it wraps: C++ would make an `int` of a small one.
template <class T> using wide_t = typename if_<(sizeof(T) > 4), u64, u32>::type;

// Literals: they become what they meet.
struct Float {
    f32 s;
    f64 d;
    __device__ constexpr operator f32() const { return s; }
    __device__ constexpr operator f64() const { return d; }
    __device__ constexpr operator f16() const { return f16{s}; }
    __device__ constexpr operator bf16() const { return bf16{s}; }
};
struct Int {
    i64 v;
    __device__ constexpr operator i8() const { return i8(v); }
    __device__ constexpr operator i16() const { return i16(v); }
    __device__ constexpr operator i32() const { return i32(v); }
    __device__ constexpr operator i64() const { return v; }
    __device__ constexpr operator u8() const { return u8(v); }
    __device__ constexpr operator u16() const { return u16(v); }
    __device__ constexpr operator u32() const { return u32(v); }
    __device__ constexpr operator u64() const { return u64(v); }
    __device__ constexpr operator f32() const { return f32(v); }
    __device__ constexpr operator f64() const { return f64(v); }
    __device__ constexpr operator f16() const { return f16{f32(v)}; }
    __device__ constexpr operator bf16() const { return bf16{f32(v)}; }
};

template <class T, bool half = kind<T>::is_half> struct literal {
    LC_FN T of(f32 single, f64 doubled) { return T(same<T, f64>::value ? doubled : f64(single)); }
    template <class V> LC_FN T of_int(V v) { return T(v); }
};
template <class T> struct literal<T, true> {
    LC_FN T of(f32 single, f64) { return T{single}; }
    template <class V> LC_FN T of_int(V v) { return T{f32(v)}; }
};
template <> struct literal<Int, false> {
    template <class V> LC_FN Int of_int(V v) { return Int{i64(v)}; }
};
LC_FN bool operator<(Int a, Int b) { return a.v < b.v; }
LC_FN bool operator<=(Int a, Int b) { return a.v <= b.v; }
LC_FN bool operator>(Int a, Int b) { return a.v > b.v; }
LC_FN bool operator>=(Int a, Int b) { return a.v >= b.v; }
template <class T> LC_FN T lit(f32 single, f64 doubled) { return literal<T>::of(single, doubled); }
template <class T, class V> LC_FN T lit(V v) { return literal<T>::of_int(v); }
template <class T, class A> LC_FN T to(A a) { return T(a); }
// Of a type, where no value is needed: in `decltype`.
template <class T> __device__ T any_of();

// Tuples, Options, arrays.
template <class... T> struct tuple {};
struct none {};
template <class T> struct maybe {
    bool some;
    T value;
    __device__ constexpr maybe() : some(false), value() {}
    __device__ __forceinline__ maybe(none) : some(false), value() {}
    __device__ constexpr maybe(bool is, T v) : some(is), value(v) {}
    template <class U> __device__ __forceinline__ maybe(const maybe<U> &a) : some(a.some), value(a.value) {}
};
template <class T, u64 N> struct array {
    T v[N ? N : 1];
    static constexpr u64 length = N;
    template <class U> __device__ __forceinline__ operator array<U, N>() const {
        array<U, N> out;
        for (u64 k = 0; k < N; ++k) out.v[k] = U(v[k]);
        return out;
    }
};
#define LC_T(n, classes, others, ctor, init, copy, fields) \
    template <classes> struct tuple<others> { \
        fields \
        __device__ __forceinline__ tuple() {} \
        __device__ constexpr tuple(ctor) : init {} \
        template <class... U> __device__ __forceinline__ tuple(const tuple<U...> &t) : copy {} \
    };
#define LC_C ,
LC_T(1, class A, A, A a, _0(a), _0(t._0), A _0;)
LC_T(2, class A LC_C class B, A LC_C B, A a LC_C B b, _0(a) LC_C _1(b), _0(t._0) LC_C _1(t._1), A _0; B _1;)
LC_T(3, class A LC_C class B LC_C class C, A LC_C B LC_C C, A a LC_C B b LC_C C c, _0(a) LC_C _1(b) LC_C _2(c),
     _0(t._0) LC_C _1(t._1) LC_C _2(t._2), A _0; B _1; C _2;)
LC_T(4, class A LC_C class B LC_C class C LC_C class D, A LC_C B LC_C C LC_C D, A a LC_C B b LC_C C c LC_C D d,
     _0(a) LC_C _1(b) LC_C _2(c) LC_C _3(d), _0(t._0) LC_C _1(t._1) LC_C _2(t._2) LC_C _3(t._3), A _0; B _1; C _2; D _3;)
LC_T(5, class A LC_C class B LC_C class C LC_C class D LC_C class E, A LC_C B LC_C C LC_C D LC_C E,
     A a LC_C B b LC_C C c LC_C D d LC_C E e, _0(a) LC_C _1(b) LC_C _2(c) LC_C _3(d) LC_C _4(e),
     _0(t._0) LC_C _1(t._1) LC_C _2(t._2) LC_C _3(t._3) LC_C _4(t._4), A _0; B _1; C _2; D _3; E _4;)
LC_T(6, class A LC_C class B LC_C class C LC_C class D LC_C class E LC_C class F, A LC_C B LC_C C LC_C D LC_C E LC_C F,
     A a LC_C B b LC_C C c LC_C D d LC_C E e LC_C F f, _0(a) LC_C _1(b) LC_C _2(c) LC_C _3(d) LC_C _4(e) LC_C _5(f),
     _0(t._0) LC_C _1(t._1) LC_C _2(t._2) LC_C _3(t._3) LC_C _4(t._4) LC_C _5(t._5), A _0; B _1; C _2; D _3; E _4; F _5;)
LC_T(7, class A LC_C class B LC_C class C LC_C class D LC_C class E LC_C class F LC_C class G,
     A LC_C B LC_C C LC_C D LC_C E LC_C F LC_C G, A a LC_C B b LC_C C c LC_C D d LC_C E e LC_C F f LC_C G g,
     _0(a) LC_C _1(b) LC_C _2(c) LC_C _3(d) LC_C _4(e) LC_C _5(f) LC_C _6(g),
     _0(t._0) LC_C _1(t._1) LC_C _2(t._2) LC_C _3(t._3) LC_C _4(t._4) LC_C _5(t._5) LC_C _6(t._6),
     A _0; B _1; C _2; D _3; E _4; F _5; G _6;)
LC_T(8, class A LC_C class B LC_C class C LC_C class D LC_C class E LC_C class F LC_C class G LC_C class H,
     A LC_C B LC_C C LC_C D LC_C E LC_C F LC_C G LC_C H, A a LC_C B b LC_C C c LC_C D d LC_C E e LC_C F f LC_C G g LC_C H h,
     _0(a) LC_C _1(b) LC_C _2(c) LC_C _3(d) LC_C _4(e) LC_C _5(f) LC_C _6(g) LC_C _7(h),
     _0(t._0) LC_C _1(t._1) LC_C _2(t._2) LC_C _3(t._3) LC_C _4(t._4) LC_C _5(t._5) LC_C _6(t._6) LC_C _7(t._7),
     A _0; B _1; C _2; D _3; E _4; F _5; G _6; H _7;)
#undef LC_T
#undef LC_C

// ---- types found from others

// What is a literal's, or not known.
template <class T> struct unknown { static constexpr bool value = false; };
template <> struct unknown<any> { static constexpr bool value = true; };
template <> struct unknown<none> { static constexpr bool value = true; };
template <> struct unknown<Float> { static constexpr bool value = true; };
template <> struct unknown<Int> { static constexpr bool value = true; };
template <class T> struct unknown<maybe<T>> { static constexpr bool value = unknown<T>::value; };
template <class T, u64 N> struct unknown<array<T, N>> { static constexpr bool value = unknown<T>::value; };
template <class... T> struct unknown<tuple<T...>> { static constexpr bool value = (unknown<T>::value || ...); };

// The first type that is known; else a literal's, a float's rather than an integer's.
template <class... T> struct first { using type = any; };
template <class A, class... T> struct first<A, T...> {
    using plain = typename bare<A>::type;
    using rest = typename first<T...>::type;
    using type = typename if_<!unknown<plain>::value, plain,
        typename if_<!unknown<rest>::value, rest, typename if_<same<rest, any>::value || same<plain, Float>::value, plain, rest>::type>::type>::type;
};
template <class... T> using pick = typename first<T...>::type;
template <class T> struct is_real {
    static_assert(!unknown<T>::value, "a type that only rustc finds: give a literal its suffix, or a variable its type");
    using type = T;
};
template <class... T> using real = typename is_real<pick<T...>>::type;

template <class T> struct item { using type = any; };
template <class T> struct item<maybe<T>> { using type = T; };
template <class T, u64 N> struct item<array<T, N>> { using type = T; };
template <class T> using item_t = typename item<typename bare<T>::type>::type;

template <u64 N> struct num { static constexpr u64 value = N; };
template <class T> struct len_of { using type = any; };
template <class T, u64 N> struct len_of<array<T, N>> { using type = num<N>; };
template <class T> using len_t = typename len_of<typename bare<T>::type>::type;
template <class... T> struct number { };
template <class A, class... T> struct number<A, T...> : if_<same<A, any>::value, number<T...>, A>::type {};

template <u32 K, class... T> struct nth { using type = any; };
template <class A, class... T> struct nth<0, A, T...> { using type = A; };
template <u32 K, class A, class... T> struct nth<K, A, T...> { using type = typename nth<K - 1, T...>::type; };
template <class... T> struct hints {};
template <class H, u32 K> struct hint { using type = any; };
template <class... T, u32 K> struct hint<hints<T...>, K> { using type = typename nth<K, T...>::type; };
template <class H, u32 K> using hint_t = typename hint<H, K>::type;
template <class T, u32 K> struct part { using type = any; };
template <class... T, u32 K> struct part<tuple<T...>, K> { using type = typename nth<K, T...>::type; };
template <class T, u32 K> using part_t = typename part<typename bare<T>::type, K>::type;
// The arguments of a struct's type: each struct says its own.
template <class T> struct arguments { using list = hints<>; };
template <class T, u32 K> using argument_t = hint_t<typename arguments<typename bare<T>::type>::list, K>;

template <class... T> LC_FN tuple<T...> make_tuple(T... t) { return tuple<T...>{t...}; }
template <class... T> LC_FN auto make_array(T... t) { using I = pick<T...>; return array<I, sizeof...(T)>{{I(t)...}}; }
template <class T, u64 N, class A> LC_FN auto repeat(A a) {
    using I = typename if_<same<T, any>::value, A, T>::type;
    array<I, N> out;
    for (u64 k = 0; k < N; ++k) out.v[k] = I(a);
    return out;
}
template <class T> LC_FN maybe<T> some(T x) { return maybe<T>{true, x}; }
template <class T> LC_FN bool is_some(const maybe<T> &x) { return x.some; }
template <class T> LC_FN bool is_none(const maybe<T> &x) { return !x.some; }
template <class T, class A> LC_FN auto unwrap_or(const maybe<T> &x, A other) { using I = pick<T, A>; return x.some ? I(x.value) : I(other); }
template <class T, u64 N> LC_FN u64 len(const array<T, N> &) { return N; }

// The element of an index. One beyond the end is a fault, and stands for 0.
template <class T, u64 N, class I> LC_FN u64 place(Cx &cx, I i) {
    const u64 k = u64(i); // a negative one becomes a huge one
    if (k < N) return k;
    cx.fault(OUT_OF_RANGE);
    return 0;
}
template <class T, u64 N, class I> LC_FN T &at(Cx &cx, array<T, N> &a, I i) { return a.v[place<T, N>(cx, i)]; }
template <class T, u64 N, class I> LC_FN const T &at(Cx &cx, const array<T, N> &a, I i) { return a.v[place<T, N>(cx, i)]; }

// ---- bits

LC_FN u32 bits(f32 x) { return __float_as_uint(x); }
LC_FN u64 bits(f64 x) { return u64(__double_as_longlong(x)); }
LC_FN f32 f32_of(u32 u) { return __uint_as_float(u); }
LC_FN f64 f64_of(u64 u) { return __longlong_as_double(i64(u)); }

// f16's bits of an f32, rounded to nearest, ties to even; a NaN stays one.
LC_FN u16 f16_bits(f32 a) {
#ifdef __CUDA_ARCH__
    u16 h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
    return h;
#else
    const u32 u = bits(a), magnitude = u & 0x7fffffffu, sign = (u & 0x80000000u) >> 16;
    u32 y;
    if (magnitude >= 143u << 23) {
        y = magnitude > 255u << 23 ? ((magnitude >> 13) & 0x3ffu) | 0x7e00u : 0x7c00u;
    } else if (magnitude < 113u << 23) {
        y = bits(f32_of(magnitude) + 0.5f) - 0x3f000000u;
    } else {
        y = (magnitude + 0xc8000000u + ((magnitude >> 13) & 1u) + 0xfffu) >> 13;
    }
    return u16(y | sign);
#endif
}
LC_FN f32 f16_value(u16 b) {
#ifdef __CUDA_ARCH__
    f32 x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(b));
    return x;
#else
    const u32 magnitude = (u32(b) & 0x7fffu) << 13, sign = (u32(b) & 0x8000u) << 16;
    u32 y;
    if (magnitude >= 0x7c00u << 13) {
        y = magnitude + (224u << 23);
        if (magnitude > 0x7c00u << 13) y |= 0x00400000u;
    } else if (magnitude < 1u << 23) {
        y = bits(f32_of(magnitude + (113u << 23)) - f32_of(113u << 23));
    } else {
        y = magnitude + (112u << 23);
    }
    return f32_of(y | sign);
#endif
}
// The same of bf16: the upper half of an f32.
LC_FN u16 bf16_bits(f32 a) {
    const u32 u = bits(a), upper = u >> 16;
    return u16(a == a ? (u + (upper & 1u) + 0x7fffu) >> 16 : upper | 0x40u);
}
LC_FN f32 bf16_value(u16 b) { return f32_of(u32(b) << 16); }

template <class T> struct form;
template <> struct form<f32> {
    LC_FN u32 bits_of(f32 x) { return bits(x); }
    LC_FN f32 of_bits(u32 u) { return f32_of(u); }
};
template <> struct form<f64> {
    LC_FN u64 bits_of(f64 x) { return bits(x); }
    LC_FN f64 of_bits(u64 u) { return f64_of(u); }
};
template <> struct form<f16> {
    LC_FN u16 bits_of(f16 x) { return f16_bits(x.v); }
    LC_FN f16 of_bits(u16 u) { return f16{f16_value(u)}; }
};
template <> struct form<bf16> {
    LC_FN u16 bits_of(bf16 x) { return bf16_bits(x.v); }
    LC_FN bf16 of_bits(u16 u) { return bf16{bf16_value(u)}; }
};
template <class T> LC_FN bits_t<T> to_bits(Cx &, T x) { return form<T>::bits_of(x); }
template <class T> LC_FN T from_bits(bits_t<T> u) { return form<T>::of_bits(u); }

// ---- constants of a type parameter

template <class T, bool is_int = kind<T>::is_int> struct of {
    static constexpr u32 size = 8 * sizeof(T);
    static constexpr bool S = kind<T>::is_signed;
    LC_FN T ZERO_() { return T(0); }
    LC_FN T ONE_() { return T(1); }
    LC_FN u32 BITS_() { return size; }
    LC_FN T MIN_() { return S ? T(wide_t<T>(1) << (size - 1)) : T(0); }
    LC_FN T MAX_() { return S ? T((wide_t<T>(1) << (size - 1)) - 1) : T(~wide_t<T>(0)); }
};
template <class T> struct of<T, false> {
    LC_FN T ZERO_() { return lit<T>(0.0f, 0.0); }
    LC_FN T ONE_() { return lit<T>(1.0f, 1.0); }
    LC_FN T PI_() { return lit<T>(0x1.921fb6p+1f, 0x1.921fb54442d18p+1); }
    LC_FN T E() { return lit<T>(0x1.5bf0a8p+1f, 0x1.5bf0a8b145769p+1); }
    LC_FN T LN_2_() { return lit<T>(0x1.62e43p-1f, 0x1.62e42fefa39efp-1); }
    LC_FN T SQRT_2_() { return lit<T>(0x1.6a09e6p+0f, 0x1.6a09e667f3bcdp+0); }
    LC_FN T pattern(u16 half, u16 brain, u32 single, u64 doubled) {
        if constexpr (same<T, f16>::value) return from_bits<f16>(half);
        else if constexpr (same<T, bf16>::value) return from_bits<bf16>(brain);
        else if constexpr (same<T, f32>::value) return f32_of(single);
        else return f64_of(doubled);
    }
    LC_FN T INFINITY_() { return pattern(0x7c00, 0x7f80, 0x7f800000u, 0x7ff0000000000000ull); }
    LC_FN T NEG_INFINITY_() { return -INFINITY_(); }
    LC_FN T NAN_() { return pattern(0x7e00, 0x7fc0, 0x7fc00000u, 0x7ff8000000000000ull); }
    LC_FN T MAX_() { return pattern(0x7bff, 0x7f7f, 0x7f7fffffu, 0x7fefffffffffffffull); }
    LC_FN T MIN_() { return -MAX_(); }
    LC_FN T EPSILON_() { return pattern(0x1400, 0x3c00, 0x34000000u, 0x3cb0000000000000ull); }
    LC_FN T MIN_POSITIVE_() { return pattern(0x0400, 0x0080, 0x00800000u, 0x0010000000000000ull); }
};

// ---- casts: Rust's `as`

// The f32 before a rounding to 16 bits: where it cannot hold the value, its neighbour with an odd last bit, so that the second rounding
// decides alone (Boldo and Melquiond, 2008).
LC_FN f32 odd(f64 x) {
    const f32 y = f32(x);
    const f64 back = f64(y);
    u32 u = bits(y);
    if (back != x && x == x) {
        if (x < 0.0 ? back < x : back > x) u -= 1;
        u |= 1;
    }
    return f32_of(u);
}
template <class A> LC_FN f32 odd_of(A x) {
    if constexpr (kind<A>::is_half) return x.v;
    else if constexpr (same<A, f64>::value) return odd(x);
    else if constexpr (same<A, f32>::value) return x;
    else if constexpr (same<A, bool>::value) return f32(x);
    else if constexpr (sizeof(A) < 8) return odd(f64(x));
    else {
        // From 2^53 on, what the lowest 11 bits hold becomes one bit above them.
        const bool small = x < A(1ll << 53) && (!kind<A>::is_signed || x > A(-(1ll << 53)));
        const u64 u = u64(x), folded = (u | ((u & 0x7ffu) + 0x7ffu)) & ~0x7ffull;
        return odd(f64(small ? x : A(folded)));
    }
}
// A float as an integer: the nearest that the type has; of a NaN 0.
template <class T, class A> LC_FN T saturated(A x) {
    constexpr u32 n = 8 * sizeof(T) - (kind<T>::is_signed ? 1 : 0);
    const A end = A(1ull << (n - 1)) * A(2);
    if (!(x == x)) return T(0);
    if (x >= end) return of<T>::MAX_();
    if (kind<T>::is_signed ? x < -end : x < A(0)) return of<T>::MIN_();
    return T(x);
}
template <class T, class A> LC_FN T cast(A x) {
    if constexpr (same<A, Float>::value) return T(x);
    else if constexpr (same<A, Int>::value) return T(x);
    else if constexpr (same<T, f16>::value) return f16{f16_value(f16_bits(odd_of(x)))};
    else if constexpr (same<T, bf16>::value) return bf16{bf16_value(bf16_bits(odd_of(x)))};
    else if constexpr (kind<A>::is_half && kind<T>::is_int) return saturated<T>(x.v);
    else if constexpr (kind<A>::is_half) return T(x.v);
    else if constexpr (kind<A>::is_float && kind<T>::is_int) return saturated<T>(x);
    else return T(x);
}

// ---- operators

template <class T> struct op {
    using W = wide_t<T>;
    LC_FN T add(T a, T b) { if constexpr (kind<T>::is_int) return T(W(a) + W(b)); else return a + b; }
    LC_FN T sub(T a, T b) { if constexpr (kind<T>::is_int) return T(W(a) - W(b)); else return a - b; }
    LC_FN T mul(T a, T b) { if constexpr (kind<T>::is_int) return T(W(a) * W(b)); else return a * b; }
    LC_FN T neg(T a) { if constexpr (kind<T>::is_int) return T(W(0) - W(a)); else return -a; }
    LC_FN T div(Cx &cx, T a, T b) {
        if constexpr (kind<T>::is_int) {
            if (b == 0) { cx.fault(DIVISION_BY_ZERO); return a; }
            if constexpr (kind<T>::is_signed) { if (b == T(-1)) return neg(a); }
            return T(a / b);
        } else return a / b;
    }
    LC_FN T rem(Cx &cx, T a, T b) {
        if constexpr (kind<T>::is_int) {
            if (b == 0) { cx.fault(DIVISION_BY_ZERO); return 0; }
            if constexpr (kind<T>::is_signed) { if (b == T(-1)) return 0; }
            return T(a % b);
        } else if constexpr (kind<T>::is_half) return T{fmodf(a.v, b.v)};
        else if constexpr (same<T, f32>::value) return fmodf(a, b);
        else return fmod(a, b);
    }
};
// Literals among each other: as each type would have it.
template <> struct op<Float> {
    LC_FN Float add(Float a, Float b) { return Float{a.s + b.s, a.d + b.d}; }
    LC_FN Float sub(Float a, Float b) { return Float{a.s - b.s, a.d - b.d}; }
    LC_FN Float mul(Float a, Float b) { return Float{a.s * b.s, a.d * b.d}; }
    LC_FN Float neg(Float a) { return Float{-a.s, -a.d}; }
    LC_FN Float div(Cx &, Float a, Float b) { return Float{a.s / b.s, a.d / b.d}; }
};
template <> struct op<Int> {
    LC_FN Int add(Int a, Int b) { return Int{i64(u64(a.v) + u64(b.v))}; }
    LC_FN Int sub(Int a, Int b) { return Int{i64(u64(a.v) - u64(b.v))}; }
    LC_FN Int mul(Int a, Int b) { return Int{i64(u64(a.v) * u64(b.v))}; }
    LC_FN Int neg(Int a) { return Int{i64(0 - u64(a.v))}; }
};

template <class A, class B> LC_FN auto add(A a, B b) { using T = pick<A, B>; return op<T>::add(T(a), T(b)); }
template <class A, class B> LC_FN auto sub(A a, B b) { using T = pick<A, B>; return op<T>::sub(T(a), T(b)); }
template <class A, class B> LC_FN auto mul(A a, B b) { using T = pick<A, B>; return op<T>::mul(T(a), T(b)); }
template <class A, class B> LC_FN auto div(Cx &cx, A a, B b) { using T = pick<A, B>; return op<T>::div(cx, T(a), T(b)); }
template <class A, class B> LC_FN auto rem(Cx &cx, A a, B b) { using T = real<A, B>; return op<T>::rem(cx, T(a), T(b)); }
template <class A> LC_FN A neg(A a) { return op<A>::neg(a); }
LC_FN bool not_(bool a) { return !a; }
template <class A> LC_FN A not_(A a) { return A(~a); }
template <class A, class B> LC_FN auto and_(A a, B b) { using T = real<A, B>; return T(T(a) & T(b)); }
template <class A, class B> LC_FN auto or_(A a, B b) { using T = real<A, B>; return T(T(a) | T(b)); }
template <class A, class B> LC_FN auto xor_(A a, B b) { using T = real<A, B>; return T(T(a) ^ T(b)); }
// Amounts count modulo the number of bits.
template <class A, class B> LC_FN A shl(A a, B b) { return A(wide_t<A>(a) << (u64(b) & (8 * sizeof(A) - 1))); }
template <class A, class B> LC_FN A shr(A a, B b) { return A(a >> (u64(b) & (8 * sizeof(A) - 1))); }
template <class A, class B> LC_FN bool eq(A a, B b) { using T = real<A, B>; return T(a) == T(b); }
template <class A, class B> LC_FN bool ne(A a, B b) { using T = real<A, B>; return T(a) != T(b); }
template <class A, class B> LC_FN bool lt(A a, B b) { using T = real<A, B>; return T(a) < T(b); }
template <class A, class B> LC_FN bool le(A a, B b) { using T = real<A, B>; return T(a) <= T(b); }
template <class A, class B> LC_FN bool gt(A a, B b) { using T = real<A, B>; return T(a) > T(b); }
template <class A, class B> LC_FN bool ge(A a, B b) { using T = real<A, B>; return T(a) >= T(b); }
// The next value of a counter, which is not the last.
template <class A> LC_FN A next(A a) { return op<A>::add(a, lit<A>(1)); }

// ---- methods of numbers

// A NaN loses; of equal values the argument.
template <class A, class B> LC_FN auto min(Cx &, A x, B y) {
    using T = real<A, B>;
    const T a = T(x), b = T(y);
    return a < b || b != b ? a : b;
}
template <class A, class B> LC_FN auto max(Cx &, A x, B y) {
    using T = real<A, B>;
    const T a = T(x), b = T(y);
    return a > b || b != b ? a : b;
}
template <class A, class B, class C> LC_FN auto clamp(Cx &cx, A x, B lo, C hi) { return min(cx, max(cx, x, lo), hi); }

LC_FN f32 fabs_of(f32 x) { return f32_of(bits(x) & 0x7fffffffu); }
LC_FN f64 fabs_of(f64 x) { return f64_of(bits(x) & 0x7fffffffffffffffull); }
template <class T> LC_FN T abs(Cx &, T x) {
    if constexpr (kind<T>::is_half) return T{fabs_of(x.v)};
    else if constexpr (kind<T>::is_float) return fabs_of(x);
    else if constexpr (kind<T>::is_signed) return x < 0 ? op<T>::neg(x) : x;
    else return x;
}
template <class T> LC_FN T copysign_of(T a, T b) {
    using U = bits_t<T>;
    const U sign = U(1) << (8 * sizeof(T) - 1);
    return from_bits<T>((form<T>::bits_of(a) & U(~sign)) | (form<T>::bits_of(b) & sign));
}
template <class A, class B> LC_FN auto copysign(Cx &, A x, B y) {
    using T = real<A, B>;
    const T a = T(x), b = T(y);
    if constexpr (kind<T>::is_half) return T{copysign_of(a.v, b.v)};
    else return copysign_of(a, b);
}

// A function of f32 and of f64.
#define LC_FLOAT(name, single, doubled) \
    LC_FN f32 name(Cx &, f32 x) { return single(x); } \
    LC_FN f64 name(Cx &, f64 x) { return doubled(x); } \
    LC_FN f16 name(Cx &, f16 x) { return f16{single(x.v)}; } \
    LC_FN bf16 name(Cx &, bf16 x) { return bf16{single(x.v)}; }
LC_FLOAT(sqrt, ::sqrtf, ::sqrt)
LC_FLOAT(floor, ::floorf, ::floor)
LC_FLOAT(ceil, ::ceilf, ::ceil)
LC_FLOAT(trunc, ::truncf, ::trunc)
LC_FLOAT(round_ties_even, ::rintf, ::rint)
#undef LC_FLOAT

template <class A, class B, class C> LC_FN auto mul_add(Cx &, A a, B b, C c) {
    using T = real<A, B, C>;
    if constexpr (kind<T>::is_half) return T{::fmaf(T(a).v, T(b).v, T(c).v)};
    else if constexpr (same<T, f32>::value) return ::fmaf(T(a), T(b), T(c));
    else return ::fma(T(a), T(b), T(c));
}

template <class T> LC_FN bool is_nan(Cx &, T x) { return !(x == x); }
template <class T> LC_FN bool is_infinite(Cx &cx, T x) { return abs(cx, x) == of<T>::INFINITY_(); }
template <class T> LC_FN bool is_finite(Cx &cx, T x) { return abs(cx, x) < of<T>::INFINITY_(); }
template <class T> LC_FN bool is_normal(Cx &cx, T x) { return is_finite(cx, x) && abs(cx, x) >= of<T>::MIN_POSITIVE_(); }
template <class T> LC_FN bool is_subnormal(Cx &cx, T x) { return abs(cx, x) < of<T>::MIN_POSITIVE_() && x != of<T>::ZERO_(); }
template <class T> LC_FN bool is_sign_negative(Cx &, T x) {
    if constexpr (kind<T>::is_half) return bits(x.v) >> 31;
    else return bits(x) >> (8 * sizeof(T) - 1);
}
template <class T> LC_FN bool is_sign_positive(Cx &cx, T x) { return !is_sign_negative(cx, x); }
template <class T> LC_FN T fract(Cx &cx, T x) { return x - trunc(cx, x); }
template <class T> LC_FN T recip(Cx &, T x) { return of<T>::ONE_() / x; }
template <class T> LC_FN T rsqrt(Cx &cx, T x) { return recip(cx, sqrt(cx, x)); }
template <class T> LC_FN T to_degrees(Cx &, T x) { return x * lit<T>(0x1.ca5dc2p+5f, 0x1.ca5dc1a63c1f8p+5); }
template <class T> LC_FN T to_radians(Cx &, T x) { return x * lit<T>(0x1.1df46ap-6f, 0x1.1df46a2529d39p-6); }
template <class T> LC_FN T signum(Cx &cx, T x) {
    if constexpr (kind<T>::is_int) return T((x > 0) - (x < 0));
    else return x == x ? copysign(cx, of<T>::ONE_(), x) : x;
}
template <class A, class B> LC_FN auto div_euclid(Cx &cx, A x, B y) {
    using T = real<A, B>;
    const T a = T(x), b = T(y), zero = of<T>::ZERO_();
    T q = op<T>::div(cx, a, b);
    if constexpr (!kind<T>::is_int) q = trunc(cx, q);
    if (!(op<T>::rem(cx, a, b) < zero)) return q;
    return b > zero ? op<T>::sub(q, of<T>::ONE_()) : op<T>::add(q, of<T>::ONE_());
}
template <class A, class B> LC_FN auto rem_euclid(Cx &cx, A x, B y) {
    using T = real<A, B>;
    const T a = T(x), b = T(y), zero = of<T>::ZERO_();
    const T r = op<T>::rem(cx, a, b), size = b < zero ? op<T>::sub(zero, b) : b;
    return r < zero ? op<T>::add(r, size) : r;
}
// The squares of `a` that the bits of `n` name, from the lowest up, multiplied into 1.
template <class T> LC_FN T power(T a, u32 n) {
    T y = of<T>::ONE_();
    for (;;) {
        if (n & 1u) y = op<T>::mul(y, a);
        n >>= 1;
        if (n == 0) return y;
        a = op<T>::mul(a, a);
    }
}
template <class T> LC_FN T powi(Cx &cx, T a, i32 n) {
    const T y = power(a, n < 0 ? 0u - u32(n) : u32(n));
    return n < 0 ? recip(cx, y) : y;
}

// ---- methods of integers

template <class T> LC_FN bool is_positive(Cx &, T a) { return a > T(0); }
template <class T> LC_FN bool is_negative(Cx &, T a) { return a < T(0); }
template <class A, class B> LC_FN auto wrapping_add(Cx &, A a, B b) { using T = real<A, B>; return op<T>::add(T(a), T(b)); }
template <class A, class B> LC_FN auto wrapping_sub(Cx &, A a, B b) { using T = real<A, B>; return op<T>::sub(T(a), T(b)); }
template <class A, class B> LC_FN auto wrapping_mul(Cx &, A a, B b) { using T = real<A, B>; return op<T>::mul(T(a), T(b)); }
template <class A, class B> LC_FN auto wrapping_div(Cx &cx, A a, B b) { using T = real<A, B>; return op<T>::div(cx, T(a), T(b)); }
template <class A, class B> LC_FN auto wrapping_rem(Cx &cx, A a, B b) { using T = real<A, B>; return op<T>::rem(cx, T(a), T(b)); }
template <class T> LC_FN T wrapping_neg(Cx &, T a) { return op<T>::neg(a); }
template <class T> LC_FN T wrapping_abs(Cx &, T a) { return a < T(0) ? op<T>::neg(a) : a; }
template <class T> LC_FN unsigned_t<T> unsigned_abs(Cx &, T a) { return unsigned_t<T>(a < T(0) ? op<T>::neg(a) : a); }
template <class T> LC_FN T wrapping_shl(Cx &, T a, u32 n) { return shl(a, n); }
template <class T> LC_FN T wrapping_shr(Cx &, T a, u32 n) { return shr(a, n); }
template <class T> LC_FN T pow(Cx &, T a, u32 n) { return power(a, n); }
template <class T> LC_FN T wrapping_pow(Cx &, T a, u32 n) { return power(a, n); }

template <class T> LC_FN bool add_wraps(T a, T b, T y) {
    if constexpr (kind<T>::is_signed) return T(T(a ^ y) & T(b ^ y)) < T(0);
    else return y < a;
}
template <class T> LC_FN bool sub_wraps(T a, T b, T y) {
    if constexpr (kind<T>::is_signed) return T(T(a ^ b) & T(a ^ y)) < T(0);
    else return a < b;
}
LC_FN u64 high_product(u64 a, u64 b) {
    const u64 a0 = a & 0xffffffffull, a1 = a >> 32, b0 = b & 0xffffffffull, b1 = b >> 32;
    const u64 u = a1 * b0 + ((a0 * b0) >> 32), v = a0 * b1 + (u & 0xffffffffull);
    return a1 * b1 + (u >> 32) + (v >> 32);
}
template <class T> LC_FN bool mul_wraps(T a, T b, T y) {
    if constexpr (sizeof(T) < 8 && kind<T>::is_signed) return i64(a) * i64(b) != i64(y);
    else if constexpr (sizeof(T) < 8) return u64(a) * u64(b) != u64(y);
    else if constexpr (!kind<T>::is_signed) return high_product(a, b) != 0;
    else {
        const u64 x = u64(a < 0 ? op<T>::neg(a) : a), z = u64(b < 0 ? op<T>::neg(b) : b), limit = u64(1) << 63;
        if (high_product(x, z) != 0) return true;
        return (a < 0) != (b < 0) ? x * z > limit : x * z >= limit;
    }
}
#define LC_OVERFLOWING(name) \
    template <class A, class B> LC_FN auto overflowing_##name(Cx &, A x, B z) { \
        using T = real<A, B>; \
        const T a = T(x), b = T(z), y = op<T>::name(a, b); \
        return tuple<T, bool>{y, name##_wraps(a, b, y)}; \
    } \
    template <class A, class B> LC_FN auto checked_##name(Cx &, A x, B z) { \
        using T = real<A, B>; \
        const T a = T(x), b = T(z), y = op<T>::name(a, b); \
        return maybe<T>{!name##_wraps(a, b, y), y}; \
    }
LC_OVERFLOWING(add) LC_OVERFLOWING(sub) LC_OVERFLOWING(mul)
#undef LC_OVERFLOWING
template <class A, class B> LC_FN auto saturating_add(Cx &, A x, B z) {
    using T = real<A, B>;
    const T a = T(x), b = T(z), y = op<T>::add(a, b);
    if (!add_wraps(a, b, y)) return y;
    return kind<T>::is_signed && a < T(0) ? of<T>::MIN_() : of<T>::MAX_();
}
template <class A, class B> LC_FN auto saturating_sub(Cx &, A x, B z) {
    using T = real<A, B>;
    const T a = T(x), b = T(z), y = op<T>::sub(a, b);
    if (!sub_wraps(a, b, y)) return y;
    return kind<T>::is_signed && !(a < T(0)) ? of<T>::MAX_() : of<T>::MIN_();
}
template <class A, class B> LC_FN auto saturating_mul(Cx &, A x, B z) {
    using T = real<A, B>;
    const T a = T(x), b = T(z), y = op<T>::mul(a, b);
    if (!mul_wraps(a, b, y)) return y;
    return (a < T(0)) != (b < T(0)) ? of<T>::MIN_() : of<T>::MAX_();
}
template <class T> LC_FN bool divides(T a, T b) {
    if (b == T(0)) return false;
    if constexpr (kind<T>::is_signed) return !(a == of<T>::MIN_() && b == T(-1));
    else return true;
}
template <class A, class B> LC_FN auto checked_div(Cx &cx, A x, B z) {
    using T = real<A, B>;
    const T a = T(x), b = T(z);
    return divides(a, b) ? maybe<T>{true, op<T>::div(cx, a, b)} : maybe<T>{};
}
template <class A, class B> LC_FN auto checked_rem(Cx &cx, A x, B z) {
    using T = real<A, B>;
    const T a = T(x), b = T(z);
    return divides(a, b) ? maybe<T>{true, op<T>::rem(cx, a, b)} : maybe<T>{};
}
template <class T> LC_FN maybe<T> checked_neg(Cx &, T a) {
    const bool fits = kind<T>::is_signed ? a != of<T>::MIN_() : a == T(0);
    return maybe<T>{fits, op<T>::neg(a)};
}
template <class T> LC_FN maybe<T> checked_shl(Cx &, T a, u32 n) { return maybe<T>{n < 8 * sizeof(T), shl(a, n)}; }
template <class T> LC_FN maybe<T> checked_shr(Cx &, T a, u32 n) { return maybe<T>{n < 8 * sizeof(T), shr(a, n)}; }
template <class A, class B> LC_FN auto abs_diff(Cx &, A x, B z) {
    using T = real<A, B>;
    const T a = T(x), b = T(z);
    return unsigned_t<T>(a < b ? op<T>::sub(b, a) : op<T>::sub(a, b));
}

template <class T> LC_FN T rotate_left(Cx &, T a, u32 n) {
    using U = unsigned_t<T>;
    return T(U(shl(U(a), n) | shr(U(a), 0u - n)));
}
template <class T> LC_FN T rotate_right(Cx &cx, T a, u32 n) { return rotate_left(cx, a, 0u - n); }
template <class T> LC_FN u32 count_ones(Cx &, T a) {
    u64 v = u64(unsigned_t<T>(a));
    v = v - ((v >> 1) & 0x5555555555555555ull);
    v = (v & 0x3333333333333333ull) + ((v >> 2) & 0x3333333333333333ull);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return u32((v * 0x0101010101010101ull) >> 56);
}
template <class T> LC_FN u32 count_zeros(Cx &cx, T a) { return count_ones(cx, T(~a)); }
template <class T> LC_FN u32 leading_zeros(Cx &cx, T a) {
    using U = unsigned_t<T>;
    U u = U(a);
    for (u32 n = 1; n < 8 * sizeof(T); n *= 2) u = U(u | (u >> n));
    return count_ones(cx, U(~u));
}
template <class T> LC_FN u32 trailing_zeros(Cx &cx, T a) {
    using U = unsigned_t<T>;
    return count_ones(cx, U(U(~U(a)) & U(U(a) - 1)));
}
template <class T> LC_FN u32 leading_ones(Cx &cx, T a) { return leading_zeros(cx, T(~a)); }
template <class T> LC_FN u32 trailing_ones(Cx &cx, T a) { return trailing_zeros(cx, T(~a)); }
template <class T> LC_FN bool is_power_of_two(Cx &, T a) { return a > T(0) && T(a & op<T>::sub(a, T(1))) == T(0); }
template <class T> LC_FN T swap_bytes(Cx &, T a) {
    using U = unsigned_t<T>;
    U u = U(a), y = 0;
    for (u32 k = 0; k < sizeof(T); ++k) y = U(y | (((u >> (8 * k)) & 0xff) << (8 * (sizeof(T) - 1 - k))));
    return T(y);
}
template <class T> LC_FN T reverse_bits(Cx &, T a) {
    using U = unsigned_t<T>;
    U u = U(a), y = 0;
    for (u32 k = 0; k < 8 * sizeof(T); ++k) y = U(y | (((u >> k) & 1) << (8 * sizeof(T) - 1 - k)));
    return T(y);
}

// ---- memory

template <class T> struct memory { using type = T; };
template <> struct memory<bool> { using type = u8; };
template <> struct memory<f16> { using type = u16; };
template <> struct memory<bf16> { using type = u16; };
template <class T> using memory_t = typename memory<T>::type;
template <class T> LC_FN T loaded(memory_t<T> x) {
    if constexpr (same<T, bool>::value) return x != 0;
    else if constexpr (kind<T>::is_half) return from_bits<T>(x);
    else return x;
}
template <class T> LC_FN memory_t<T> stored(T x) {
    if constexpr (same<T, bool>::value) return x ? 1 : 0;
    else if constexpr (kind<T>::is_half) return form<T>::bits_of(x);
    else return x;
}

// V elements, moved at once: 16 bytes of the largest operand.
template <class T, u32 V> struct alignas(sizeof(T) * V) pack { T v[V]; };
template <class T, u32 V> LC_FN pack<T, V> load_pack(const T *p, u64 at, bool single) {
    if (!single) return reinterpret_cast<const pack<T, V> *>(p)[at];
    pack<T, V> all;
    for (u32 k = 0; k < V; ++k) all.v[k] = *p;
    return all;
}
template <class T, u32 V> LC_FN void store_pack(T *p, u64 at, const pack<T, V> &x) { reinterpret_cast<pack<T, V> *>(p)[at] = x; }

// Where the elements of K operands lie: for each axis, the last one fastest, a length and each operand's distance in bytes.
template <u32 K> struct Plan {
    u32 rank;
    u64 shape[8];
    i64 stride[K][8];
    __device__ __forceinline__ void place(u64 element, i64 *at) const {
        for (u32 k = 0; k < K; ++k) at[k] = 0;
        for (u32 axis = rank; axis-- > 0;) {
            const u64 next = element / shape[axis];
            const i64 i = i64(element - next * shape[axis]);
            element = next;
            for (u32 k = 0; k < K; ++k) at[k] += i * stride[k][axis];
        }
    }
};

LC_FN u64 thread() { return u64(blockIdx.x) * blockDim.x + threadIdx.x; }
LC_FN u64 threads() { return u64(gridDim.x) * blockDim.x; }

} // namespace lc

//! Assembly text, as `rustc --emit asm` writes it for ELF targets on x86-64 (AT&T syntax) and aarch64: functions, their
//! instructions by kind, and what they call.

use std::collections::{BTreeMap, BTreeSet};

/// One function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Instructions.
    pub instructions: usize,
    /// Instructions that compute on vectors (moves do not count), by register width in bits: 128, 256, 512.
    pub vector: BTreeMap<u32, usize>,
    /// Instructions that compute on one floating-point number.
    pub scalar: usize,
    /// Calls, and jumps to other functions.
    pub calls: usize,
    /// Loops: jumps to a label before them.
    pub loops: usize,
    /// Whether some calls go through a register or memory.
    pub is_indirect: bool,
    /// The symbols that are called.
    pub called: BTreeSet<String>,
    /// The symbols whose addresses are taken: functions and data.
    pub taken: BTreeSet<String>,
}

/// The functions of a program by symbol.
pub type Functions = BTreeMap<String, Function>;

/// Adds the functions of one text. Aliases become functions of their own.
pub fn add(functions: &mut Functions, text: &str) {
    let mut aliases = Vec::new();
    let mut open: Option<(String, Function)> = None;
    let mut labels = BTreeSet::new();
    for line in text.lines() {
        if let Some(label) = line.strip_suffix(':').filter(|label| !label.starts_with(char::is_whitespace)) {
            if label.starts_with(".L") {
                labels.insert(label);
            } else {
                labels.clear();
                functions.extend(open.take());
                open = Some((label.trim_matches('"').to_owned(), Function::default()));
            }
            continue;
        }
        let Some(rest) = line.strip_prefix('\t') else { continue };
        if let Some(alias) = rest.strip_prefix(".set") {
            let (name, target) = alias.trim().split_once(',').unwrap_or_default();
            aliases.push((name.trim().to_owned(), target.trim().to_owned()));
        } else if !rest.starts_with(['.', '#', '/', '\t'])
            && let Some((_, function)) = &mut open
        {
            function.read(rest, &labels);
        }
    }
    functions.extend(open);
    // What has no instructions is data.
    functions.retain(|_, function| function.instructions > 0);
    for (name, target) in aliases {
        if let Some(function) = functions.get(&target).cloned() {
            functions.insert(name, function);
        }
    }
}

impl Function {
    /// Takes one instruction in; `labels` are those before it.
    fn read(&mut self, line: &str, labels: &BTreeSet<&str>) {
        let line = line.split(" //").next().unwrap_or_default();
        let (opcode, operands) = line.split_once(['\t', ' ']).unwrap_or((line, ""));
        // What follows a `#` is a comment on x86, and a number here.
        let is_bit_test = opcode == "tbz" || opcode == "tbnz";
        let operands = if is_bit_test { operands } else { operands.split('#').next().unwrap_or_default().trim() };
        self.instructions += 1;
        if is_jump(opcode) {
            self.read_jump(opcode, operands, labels);
            return;
        }
        for word in operands.split([',', ' ', '(', '[', ']']) {
            let symbol = word.trim_start_matches(":got:").trim_start_matches(":got_lo12:").trim_start_matches(":lo12:");
            let is_address = word.contains("@GOT") || operands.contains("(%rip)") || word.starts_with(':') || opcode == "adrp";
            if is_address && let Some(symbol) = symbol_of(symbol) {
                self.taken.insert(symbol);
            }
        }
        if let Some(width) = vector_width(opcode, operands) {
            *self.vector.entry(width).or_default() += 1;
        } else if is_scalar_float(opcode, operands) {
            self.scalar += 1;
        }
    }

    fn read_jump(&mut self, opcode: &str, operands: &str, labels: &BTreeSet<&str>) {
        let target = operands.rsplit(',').next().unwrap_or_default().trim();
        self.loops += usize::from(labels.contains(target));
        let is_call = opcode.starts_with("call") || opcode == "bl" || opcode == "blr";
        let through_got = target.strip_prefix('*').filter(|target| target.contains("@GOTPCREL(%rip)"));
        if let Some(symbol) = symbol_of(through_got.unwrap_or(target)) {
            self.calls += 1;
            self.called.insert(symbol);
        } else if is_call {
            self.calls += 1;
            self.is_indirect = true;
        }
        // What is left jumps within the function, or through its jump table.
    }
}

fn is_jump(opcode: &str) -> bool {
    opcode.starts_with("call")
        || opcode.starts_with('j')
        || matches!(opcode, "b" | "bl" | "blr" | "br" | "cbz" | "cbnz" | "tbz" | "tbnz")
        || opcode.starts_with("b.")
}

/// The symbol that an operand names; none for registers, numbers and local labels.
fn symbol_of(operand: &str) -> Option<String> {
    let name = operand.split(['@', '(', '+']).next().unwrap_or_default().trim_matches('"');
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !is_register(name);
    is_name.then(|| name.to_owned())
}

/// Registers of aarch64; those of x86 start with a percent sign.
fn is_register(name: &str) -> bool {
    matches!(name, "sp" | "xzr" | "wzr" | "lr")
        || (name.starts_with(['x', 'w', 'v', 'q', 'd', 's', 'h', 'b'])
            && name.len() > 1
            && name[1..].starts_with(|c: char| c.is_ascii_digit()))
}

/// The width of the vectors that an instruction computes on.
fn vector_width(opcode: &str, operands: &str) -> Option<u32> {
    if is_neon_arrangement(operands) {
        let is_move = opcode.starts_with("mov") || opcode.starts_with("ld") || opcode.starts_with("st") || opcode == "dup";
        return (!is_move).then_some(128);
    }
    let width = [("%zmm", 512), ("%ymm", 256), ("%xmm", 128)].into_iter().find(|(register, _)| operands.contains(register))?.1;
    let plain = opcode.strip_prefix('v').unwrap_or(opcode);
    let is_packed = plain.ends_with("ps")
        || plain.ends_with("pd")
        || plain.starts_with('p')
        || plain.starts_with("cvt") && !is_scalar_conversion(plain);
    let is_move = plain.starts_with("mov") || plain.starts_with("broadcast") || is_zeroing(plain, operands);
    // Masks of AVX-512 come from compares, whose opcodes end otherwise: `vcmpltps` and `vpcmpeqd` are packed all the same.
    (is_packed && !is_move).then_some(width)
}

fn is_scalar_conversion(plain: &str) -> bool {
    let target = plain.trim_end_matches(['l', 'q']);
    target.ends_with("ss") || target.ends_with("sd") || target.ends_with("si") || target.ends_with("usi")
}

/// `xor a, a`: a zero.
fn is_zeroing(plain: &str, operands: &str) -> bool {
    let mut registers = operands.split(", ");
    let first = registers.next();
    (plain.starts_with("xorp") || plain.starts_with("pxor")) && registers.take(1).any(|second| Some(second) == first)
}

fn is_neon_arrangement(operands: &str) -> bool {
    [".16b", ".8b", ".8h", ".4h", ".4s", ".2s", ".2d"].iter().any(|arrangement| operands.contains(arrangement))
}

fn is_scalar_float(opcode: &str, operands: &str) -> bool {
    if operands.contains("%xmm") {
        let plain = opcode.strip_prefix('v').unwrap_or(opcode);
        let is_single = plain.ends_with("ss") || plain.ends_with("sd") || plain.starts_with("cvt") && is_scalar_conversion(plain);
        return is_single && !plain.starts_with("mov");
    }
    opcode.starts_with('f') && !opcode.starts_with("fmov") && operands.starts_with(['s', 'd'])
}

#[cfg(test)]
mod tests {
    use super::{Functions, add};

    fn parsed(text: &str) -> Functions {
        let mut functions = Functions::new();
        add(&mut functions, text);
        functions
    }

    const X86: &str = "
	.section	.text.kernel,\"ax\",@progbits
	.type	kernel,@function
kernel:
	.cfi_startproc
	vmovups	(%rdi), %zmm0
	vfmadd213ps	.LCPI0_0(%rip){1to16}, %zmm1, %zmm0 # comment, with other(%rip)
	vaddps	%ymm0, %ymm1, %ymm2
	vpaddd	%xmm0, %xmm1, %xmm2
	vxorps	%xmm0, %xmm0, %xmm0
	addss	%xmm1, %xmm0
	cvtsi2ssl	%eax, %xmm0
	cvtdq2ps	%xmm0, %xmm0
	callq	*memcpy@GOTPCREL(%rip)
	callq	helper@PLT
	jne	.LBB0_1
	jmp	tail
.LBB0_1:
	jne	.LBB0_1
	movq	fma@GOTPCREL(%rip), %rbp
	callq	*%rbp
	leaq	table(%rip), %rax
	jmpq	*%rax
	retq
.Lfunc_end0:
	.size	kernel, .Lfunc_end0-kernel
	.type	table,@object
table:
	.quad	kernel
	.set same, kernel
";

    #[test]
    fn x86_functions_are_read() {
        let functions = parsed(X86);
        assert_eq!(functions.keys().collect::<Vec<_>>(), ["kernel", "same"]);
        let kernel = &functions["kernel"];
        assert_eq!((kernel.instructions, kernel.loops), (18, 1));
        assert_eq!(kernel.vector.iter().map(|(width, n)| (*width, *n)).collect::<Vec<_>>(), [(128, 2), (256, 1), (512, 1)]);
        assert_eq!(kernel.scalar, 2);
        assert_eq!(kernel.calls, 4);
        assert!(kernel.is_indirect);
        assert_eq!(kernel.called.iter().map(String::as_str).collect::<Vec<_>>(), ["helper", "memcpy", "tail"]);
        assert_eq!(kernel.taken.iter().map(String::as_str).collect::<Vec<_>>(), ["fma", "table"]);
        assert_eq!(functions["same"], *kernel);
    }

    const ARM: &str = "
	.type	kernel,@function
kernel:
	ldr	q0, [x0]
	fmla	v0.4s, v1.4s, v2.4s
	mov	v3.16b, v0.16b
	fadd	s0, s1, s2
	cbz	x0, .LBB0_2
	bl	memcpy
	adrp	x8, :got:fmaf
	ldr	x8, [x8, :got_lo12:fmaf]
	blr	x8
	b.eq	.LBB0_2
.LBB0_2:
	tbz	w0, #0, .LBB0_2
	b	tail
";

    #[test]
    fn arm_functions_are_read() {
        let functions = parsed(ARM);
        let kernel = &functions["kernel"];
        assert_eq!((kernel.instructions, kernel.vector[&128], kernel.scalar, kernel.calls, kernel.loops), (12, 1, 1, 3, 1));
        assert_eq!(kernel.called.iter().map(String::as_str).collect::<Vec<_>>(), ["memcpy", "tail"]);
        assert_eq!(kernel.taken.iter().map(String::as_str).collect::<Vec<_>>(), ["fmaf"]);
        assert!(kernel.is_indirect);
    }
}

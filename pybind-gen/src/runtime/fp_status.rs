//! The floating-point status flags of the thread.
//!
//! NumPy clears the flags before a ufunc's loop and turns those it finds afterwards into warnings. Kernels compute both sides of an
//! `if` and pad the tail of an array with repeated elements, so flags say nothing about the user's data
//! (numpy#22461 is what that looks like to users). They are put back: a kernel raises no floating-point warning.

/// Puts the flags back when dropped.
pub(super) struct FpStatus(arch::Status);

impl FpStatus {
    /// Notes the flags as they are now.
    pub(super) fn save() -> Self {
        Self(arch::read())
    }
}

impl Drop for FpStatus {
    fn drop(&mut self) {
        arch::write(self.0);
    }
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use core::arch::asm;

    pub(super) type Status = u32;

    pub(super) fn read() -> Status {
        let mut mxcsr = 0_u32;
        // SAFETY: stores MXCSR to `mxcsr`; every x86-64 CPU has SSE.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack, preserves_flags)) };
        mxcsr
    }

    pub(super) fn write(mxcsr: Status) {
        // SAFETY: loads what `read` stored, so no reserved bit is set and rounding and exception masks stay as they were.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use core::arch::asm;

    pub(super) type Status = u64;

    pub(super) fn read() -> Status {
        let fpsr: u64;
        // SAFETY: reads FPSR, which is accessible to user code.
        unsafe { asm!("mrs {}, fpsr", out(reg) fpsr, options(nostack, preserves_flags)) };
        fpsr
    }

    pub(super) fn write(fpsr: Status) {
        // SAFETY: FPSR holds only status; writing back what `read` returned changes no behaviour.
        unsafe { asm!("msr fpsr, {}", in(reg) fpsr, options(nostack, preserves_flags)) };
    }
}

/// Other targets: NumPy may warn.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod arch {
    pub(super) type Status = ();
    pub(super) fn read() -> Status {}
    pub(super) fn write((): Status) {}
}

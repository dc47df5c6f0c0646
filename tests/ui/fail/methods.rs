//! Kernels with `self`, or with `Self`.

use lanecraft::prelude::*;

struct Filter {
    gain: f32,
}

impl Filter {
    #[kernel]
    #[python_export]
    fn by_value(self, x: f32) -> f32 {
        self.gain * x
    }

    #[kernel(dtypes(f32, f64))]
    pub fn by_reference<T: Float>(&self, x: T, #[parameter(1, 2)] n: i32) -> T {
        x
    }

    #[always_inline]
    fn of_type(filter: Self, x: f32) -> f32 {
        filter.gain * x
    }
}

trait Gain {
    #[kernel]
    fn apply(&self, x: f32) -> f32 {
        x
    }
}

fn main() {
    let _ = Filter { gain: 1.0 }.by_reference(1.0_f32, 1);
}

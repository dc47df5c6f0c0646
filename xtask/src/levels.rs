//! CPU levels and the environment that forces each.

/// A level that the machine has, by the name that `lanecraft::Level` gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forced {
    /// Its name.
    pub name: String,
    /// The environment variables that force it.
    pub environment: Vec<(&'static str, String)>,
}

impl Forced {
    /// The level called `name`.
    pub fn new(name: &str) -> Self {
        let (isa, exact) = name.strip_suffix("-exact").map_or((name, "0"), |isa| (isa, "1"));
        let environment = vec![("LANECRAFT_ISA", isa.to_owned()), ("LANECRAFT_EXACT", exact.to_owned())];
        Self { name: name.to_owned(), environment }
    }
}

#[cfg(test)]
mod tests {
    use super::Forced;

    #[test]
    fn the_exact_mode_is_a_switch_on_a_level() {
        assert_eq!(Forced::new("sse2-exact").environment, [("LANECRAFT_ISA", "sse2".into()), ("LANECRAFT_EXACT", "1".into())]);
        assert_eq!(Forced::new("avx512").environment, [("LANECRAFT_ISA", "avx512".into()), ("LANECRAFT_EXACT", "0".into())]);
    }
}

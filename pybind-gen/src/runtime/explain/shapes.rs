//! The shapes of inputs, outputs and `where`.

use super::what::shape_text;
use super::{Call, outputs};
use pyo3::prelude::*;

/// The inputs and `where`: do they broadcast together?
pub(super) fn check_inputs(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let mut whole: Vec<usize> = Vec::new();
    let mut before: Vec<(&str, Vec<usize>)> = Vec::new();
    let inputs = call.arguments.iter().map(String::as_str).zip(call.args);
    for (name, value) in inputs.chain(call.keyword("where")?.map(|mask| ("where", mask))) {
        let shape: Vec<usize> = call.numpy.call_method1("shape", (value,))?.extract()?;
        match broadcast(&whole, &shape) {
            Some(joint) => whole = joint,
            None => {
                let (with, with_shape) = match before.iter().find(|(_, other)| broadcast(other, &shape).is_none()) {
                    Some((other, shape)) => (format!("the shape of '{other}'"), shape_text(shape)),
                    None => ("the joint shape of the arguments before it".to_owned(), shape_text(&whole)),
                };
                let came = shape_text(&shape);
                return Ok(Some(format!(
                    "argument '{name}' has shape {came}, which does not broadcast with {with_shape}, {with}; accepted: axes that are equal or 1, from the last one back"
                )));
            }
        }
        before.push((name, shape));
    }
    Ok(None)
}

/// The outputs: do the inputs broadcast to them?
pub(super) fn check_outputs(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let mut whole: Vec<usize> = Vec::new();
    for value in call.args.iter().take(call.nin()).chain(call.keyword("where")?) {
        let shape: Vec<usize> = call.numpy.call_method1("shape", (value,))?.extract()?;
        let Some(joint) = broadcast(&whole, &shape) else { return Ok(None) };
        whole = joint;
    }
    for (name, array) in outputs::arrays(call)? {
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if broadcast(&whole, &shape).as_ref() != Some(&shape) {
            let (came, needed) = (shape_text(&shape), shape_text(&whole));
            return Ok(Some(format!(
                "{name} has shape {came}, the inputs broadcast to {needed}; accepted: {needed}, or a shape that it broadcasts to"
            )));
        }
    }
    Ok(None)
}

/// NumPy's rule.
fn broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut joint = long.to_vec();
    for (to, &n) in joint.iter_mut().rev().zip(short.iter().rev()) {
        *to = match (*to, n) {
            (a, b) if a == b => a,
            (1, n) | (n, 1) => n,
            _ => return None,
        };
    }
    Some(joint)
}

#[cfg(test)]
mod tests {
    use super::broadcast;

    /// The table in NumPy's user guide, "General broadcasting rules", and the zero-size cases.
    #[test]
    fn broadcasts_like_numpy() {
        assert_eq!(broadcast(&[256, 256, 3], &[3]), Some(vec![256, 256, 3]));
        assert_eq!(broadcast(&[8, 1, 6, 1], &[7, 1, 5]), Some(vec![8, 7, 6, 5]));
        assert_eq!(broadcast(&[15, 3, 5], &[15, 1, 5]), Some(vec![15, 3, 5]));
        assert_eq!(broadcast(&[3], &[4]), None);
        assert_eq!(broadcast(&[2, 1], &[8, 4, 3]), None);
        assert_eq!(broadcast(&[], &[0]), Some(vec![0]));
        assert_eq!(broadcast(&[1], &[0]), Some(vec![0]));
        assert_eq!(broadcast(&[2], &[0]), None);
    }
}

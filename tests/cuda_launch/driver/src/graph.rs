//! Graphs: nodes of kernels, which run in their order.

use crate::driver::{answer, arguments, execute, geometry_ok, shown, stream_ok};
use crate::state::{Function, INVALID_HANDLE, INVALID_VALUE, Needs, Node, begin, code, lock};
use std::ffi::{c_int, c_uint, c_ulonglong, c_void};

/// `CUDA_KERNEL_NODE_PARAMS_v2`
#[repr(C)]
pub struct Parameters {
    function: u64,
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    parameters: *const *const c_void,
    extra: *const *const c_void,
    kernel: *const c_void,
    context: *const c_void,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphCreate(graph: *mut u64, flags: c_uint) -> c_int {
    code(begin("cuGraphCreate", &flags.to_string(), Needs::Context).and_then(|mut state| {
        let handle = state.handle();
        state.graphs.insert(handle, Vec::new());
        // SAFETY: the caller has a place for the answer.
        unsafe { answer(graph, handle) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphDestroy(graph: u64) -> c_int {
    code(begin("cuGraphDestroy", "", Needs::Context).and_then(|mut state| {
        let nodes = state.graphs.remove(&graph).ok_or(INVALID_HANDLE)?;
        nodes.iter().for_each(|node| drop(state.nodes.remove(node)));
        Ok(())
    }))
}

/// The node that parameters describe, and how it is shown.
///
/// # Safety
/// Parameters with as many arguments as their function has.
unsafe fn node(parameters: *const Parameters) -> (Option<Node>, String) {
    // SAFETY: the caller's promise.
    let parameters = unsafe { &*parameters };
    let (grid, block) = (parameters.grid[0], parameters.block[0]);
    let Some(function) = lock().functions.get(&parameters.function).cloned() else { return (None, String::new()) };
    // SAFETY: as above.
    let arguments = unsafe { arguments(&function, parameters.parameters) };
    let shown = shown(&function, grid, block, &arguments);
    let fits = geometry_ok(parameters.grid, parameters.block).is_ok();
    (fits.then_some(Node { function: parameters.function, grid, block, arguments }), shown)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphAddKernelNode_v2(
    to: *mut u64,
    graph: u64,
    before: *const u64,
    count: usize,
    parameters: *const Parameters,
) -> c_int {
    // SAFETY: the caller's promise.
    let (node, shown) = unsafe { node(parameters) };
    code(begin("cuGraphAddKernelNode_v2", &format!("{shown}, after {count}"), Needs::Context).and_then(|mut state| {
        let handle = state.handle();
        let nodes = state.graphs.get_mut(&graph).ok_or(INVALID_HANDLE)?;
        // One after the other.
        // SAFETY: the caller's promise: as many.
        let before: Vec<u64> = (0..count).map(|k| unsafe { *before.add(k) }).collect();
        if before.last() != nodes.last() {
            return Err(INVALID_VALUE);
        }
        nodes.push(handle);
        state.nodes.insert(handle, node.ok_or(INVALID_VALUE)?);
        // SAFETY: the caller has a place for the answer.
        unsafe { answer(to, handle) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphInstantiateWithFlags(exec: *mut u64, graph: u64, flags: c_ulonglong) -> c_int {
    code(begin("cuGraphInstantiateWithFlags", &flags.to_string(), Needs::Context).and_then(|mut state| {
        let nodes = state.graphs.get(&graph).cloned().ok_or(INVALID_HANDLE)?;
        let handle = state.handle();
        state.execs.insert(handle, nodes);
        // SAFETY: the caller has a place for the answer.
        unsafe { answer(exec, handle) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphExecDestroy(exec: u64) -> c_int {
    code(begin("cuGraphExecDestroy", "", Needs::Context).and_then(|mut state| state.execs.remove(&exec).map(|_| ()).ok_or(INVALID_HANDLE)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphExecKernelNodeSetParams_v2(exec: u64, at: u64, parameters: *const Parameters) -> c_int {
    // SAFETY: the caller's promise.
    let (node, shown) = unsafe { node(parameters) };
    code(begin("cuGraphExecKernelNodeSetParams_v2", &shown, Needs::Context).and_then(|mut state| {
        let known = state.execs.get(&exec).is_some_and(|nodes| nodes.contains(&at));
        *state.nodes.get_mut(&at).filter(|_| known).ok_or(INVALID_HANDLE)? = node.ok_or(INVALID_VALUE)?;
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGraphLaunch(exec: u64, stream: u64) -> c_int {
    code(begin("cuGraphLaunch", &format!("{stream:#x}"), Needs::Context).and_then(|state| {
        stream_ok(&state, stream)?;
        let nodes = state.execs.get(&exec).ok_or(INVALID_HANDLE)?;
        let all: Vec<(Function, Node)> = nodes
            .iter()
            .map(|node| {
                let node = state.nodes.get(node).cloned().ok_or(INVALID_HANDLE)?;
                Ok((state.functions.get(&node.function).cloned().ok_or(INVALID_HANDLE)?, node))
            })
            .collect::<Result<_, c_int>>()?;
        drop(state);
        all.iter().for_each(|(function, node)| execute(function, node.grid, node.block, &node.arguments));
        Ok(())
    }))
}

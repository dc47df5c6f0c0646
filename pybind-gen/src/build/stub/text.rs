//! Python text.

/// ruff's line width.
pub(super) const WIDTH: usize = 88;

/// A documentation comment as a docstring, as `ruff format` leaves it: `indent` spaces, no blanks at line ends.
pub(super) fn docstring(docs: &str, indent: usize) -> String {
    let blank = " ".repeat(indent);
    let escaped = docs.trim().replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let lines: Vec<&str> = escaped.lines().map(str::trim_end).collect();
    let common = lines.iter().skip(1).filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let mut out = format!("{blank}\"\"\"");
    for (k, line) in lines.iter().enumerate() {
        if k == 0 {
            out += line;
            continue;
        }
        out.push('\n');
        if !line.is_empty() {
            out += &blank;
            out += line.get(common..).unwrap_or(line);
        }
    }
    if lines.len() > 1 {
        out.push('\n');
        out += &blank;
    } else if out.ends_with('"') && escaped.ends_with('"') {
        // A quote before the closing quotes would end the string early.
        out.pop();
        out += "\\\"";
    }
    out += "\"\"\"\n";
    out
}

#[cfg(test)]
mod tests {
    use super::docstring;

    #[test]
    fn one_line() {
        assert_eq!(docstring(" `a * x + y` ", 4), "    \"\"\"`a * x + y`\"\"\"\n");
        assert_eq!(docstring("says \"no\"", 0), "\"\"\"says \"no\\\"\"\"\"\n");
        assert_eq!(docstring("C:\\new", 0), "\"\"\"C:\\\\new\"\"\"\n");
    }

    #[test]
    fn several_lines() {
        assert_eq!(docstring("One.\n\nTwo: \n  - three\n", 2), "  \"\"\"One.\n\n  Two:\n    - three\n  \"\"\"\n");
    }
}

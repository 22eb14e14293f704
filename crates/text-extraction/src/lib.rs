//! Extracts text from untrusted pages and files (`summaries.file-kinds`) and renders untrusted drawings to pixels, each in a
//! separate process, so that a crash affects only that process.
//!
//! The parent ([`Reader`], [`Drawer`]) starts its own program with a subcommand, writes the document to its standard input
//! and reads the text as JSON, or the pixels, from its standard output. The child ([`run_child`], [`run_drawing_child`]) sets its
//! own limits before it reads any input; they survive an `exec`, so that its allocator starts under them. The parent kills the
//! child at the deadline, or when the result is dropped. The child calls [`extract()`]: bytes in, text out.
//!
//! Invariants:
//!
//! - The child gets none of its parent's environment variables, so no secrets, and it runs in the root folder.
//! - It ends with its parent (Linux), and no later than its deadline.
//! - An error is one sentence for the person who uploaded the document.
//! - The server process itself never calls [`extract()`]: the libraries that read PDF may use unpredictable amounts of memory and
//!   time, and may panic.

mod child;
mod drawer;
mod extract;
mod limits;
mod process;
mod reader;

pub use child::{run_child, run_limited};
pub use drawer::{DrawError, Drawer, run_drawing_child};
pub use extract::{Document, DocumentKind, ExtractionError, ForeignKind, Heading, Limits, extract};
pub use limits::ProcessLimits;
pub use process::Canceller;
pub use reader::{ReadError, Reader, Reading};

//! Text out of pages and files that strangers made (`summaries.file-kinds`), and pixels of their drawings, each in a process of its
//! own, so that what breaks the reader breaks alone.
//!
//! The parent ([`Reader`], [`Drawer`]) starts a program of its own kind with a subcommand, writes the document to its standard input
//! and reads the text as JSON, or the pixels, from its standard output. The child ([`run_child`], [`run_drawing_child`]) limits itself
//! before it reads a byte, and the limits outlive an `exec`, so that its allocator starts under them. The parent kills it at the
//! deadline, or when the result is dropped. What the child calls is [`extract()`]: bytes in, text out.
//!
//! Invariants:
//!
//! - The child has no environment variable of its parent, so no secret, and it is in the root folder.
//! - It ends with its parent (Linux), and no later than its deadline.
//! - A failure to read is one sentence for the person who sent the document.
//! - The server itself never calls [`extract()`]: the libraries that read PDF may take more memory and time than a limit can foresee,
//!   and may panic.

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

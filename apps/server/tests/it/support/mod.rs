//! Messages to the operator.

mod forms;

//! Bodies in parts: how much of a response is copied into a connection's buffer at once.

use bytes::Bytes;

/// The most bytes that are copied into a connection's buffer at once. A body that is sent whole is copied whole: 2,000
/// clients that stopped reading a document of 2.6 MB took 5.4 GB. In parts they share the one body.
pub const PART: usize = 16 * 1024;

/// Takes the next part off the rest of a body: [`PART`] bytes at most, shared and not copied.
pub fn take_part(rest: &mut Bytes) -> Bytes {
    let length = rest.len().min(PART);
    rest.split_to(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_sent_in_parts_that_share_its_bytes() {
        let body = Bytes::from(vec![7; 2 * PART + 1]);
        let mut rest = body.clone();
        let parts = [take_part(&mut rest), take_part(&mut rest), take_part(&mut rest)];
        assert_eq!(parts.each_ref().map(Bytes::len), [PART, PART, 1]);
        assert!(rest.is_empty());
        assert_eq!(parts[1].as_ptr(), body[PART..].as_ptr(), "no bytes were copied");
    }
}

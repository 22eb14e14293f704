//! Files as a browser uploads them.

use reqwest::Method;
use serde_json::Value;

use super::{Person, Reply, TestApp, reply};

/// The boundary of an upload's parts.
pub const BOUNDARY: &str = "a-boundary-that-is-in-no-file";

/// The body of an upload, as a browser sends it.
pub fn body(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut body = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"fileName\"\r\n\r\n{name}\r\n\
         --{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: image/png\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(bytes);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// Sends an upload's body as this person.
pub async fn send(app: &TestApp, person: &Person, path: &str, body: Vec<u8>) -> Reply {
    let request = person.client.request(Method::POST, format!("{}{path}", app.address)).bearer_auth(&person.token);
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    reply(request.header("content-type", kind).body(body)).await
}

/// Uploads a file of a book; gives the book as it is afterwards.
pub async fn upload(app: &TestApp, editor: &Person, path: &str, bytes: &[u8]) -> Value {
    send(app, editor, path, body("../../etc/pass wd\u{202e}.png", bytes)).await.result()["book"].clone()
}

/// A picture of 4 by 4 pixels, as PNG.
pub fn picture() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(4, 4).write_to(&mut bytes, image::ImageFormat::Png).expect("a picture is written");
    bytes.into_inner()
}

//! An S3 server in the test process, which stores its objects in a folder.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;

/// The access key id that the server accepts.
pub const ACCESS_KEY_ID: &str = "pith-tests";
/// The secret key for [`ACCESS_KEY_ID`].
pub const SECRET_ACCESS_KEY: &str = "a secret between a test and its bucket";

/// The server, listening on a free port for as long as the process runs.
#[derive(Debug)]
pub struct ObjectServer {
    /// Its URL.
    pub endpoint: String,
    root: PathBuf,
}

impl ObjectServer {
    /// Starts the server on a folder, with these buckets.
    pub fn start(root: &Path, buckets: &[&str]) -> Self {
        for bucket in buckets {
            std::fs::create_dir_all(root.join(bucket)).expect("a bucket is a folder");
        }
        let files = FileSystem::new(root).expect("a folder for objects");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let service = service.build();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("a listening socket has an address"));
        listener.set_nonblocking(true).expect("a socket that does not block");
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a socket of the runtime");
                while let Ok((stream, _)) = listener.accept().await {
                    let service = service.clone();
                    tokio::spawn(async move {
                        let builder = Builder::new(TokioExecutor::new());
                        let connection = builder.serve_connection(TokioIo::new(stream), service);
                        // Some tests close the connection on purpose.
                        let _ = connection.await;
                    });
                }
            });
        });
        Self { endpoint, root: root.to_owned() }
    }

    /// The names of the objects in a bucket, sorted.
    pub fn objects(&self, bucket: &str) -> Vec<String> {
        let root = self.root.join(bucket);
        let mut names = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder of the bucket").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(name) = path.strip_prefix(&root) {
                    names.push(name.display().to_string());
                }
            }
        }
        names.sort_unstable();
        names
    }
}

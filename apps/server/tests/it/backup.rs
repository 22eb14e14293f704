//! Backup and restore: rows and files of one moment, on a running site; nothing from a damaged backup; nothing sent twice.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use text_extraction::{Drawer, ProcessLimits};

use ::backup::{BackupError, BackupKey, Tally};
use diesel::{RunQueryDsl, connection::SimpleConnection};
use futures_util::TryStreamExt;
use kernel::{DAY, Env, HOUR, Secret};
use media::Media;
use postgres::{RestoreError, Snapshot};
use serde_json::json;
use tempfile::TempDir;
use testing::{
    TestDatabase,
    object_server::{self, ObjectServer},
};

use crate::harness::{PASSWORD, SECRET, TestApp};

/// What a database holds: the sorted rows of each table.
fn rows(database_url: &str) -> BTreeMap<String, Vec<String>> {
    let mut snapshot = Snapshot::begin(database_url).unwrap();
    let mut all = BTreeMap::new();
    for table in snapshot.tables().unwrap() {
        let mut of_table = Vec::new();
        snapshot
            .rows::<kernel::StoreError>(&table, |rows| {
                of_table.extend(rows);
                Ok(())
            })
            .unwrap();
        of_table.sort();
        all.insert(table.name, of_table);
    }
    all
}

/// How the indexes of a database are made, sorted.
fn indexes(database: &TestDatabase) -> Vec<String> {
    #[derive(diesel::QueryableByName)]
    struct Index {
        #[diesel(sql_type = diesel::sql_types::Text)]
        indexdef: String,
    }
    let found: Vec<Index> = diesel::sql_query("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")
        .load(&mut database.connect())
        .unwrap();
    found.into_iter().map(|index| index.indexdef).collect()
}

/// The objects of a store, with their bytes.
async fn objects(media: &Media) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let paths: Vec<(String, u64)> = media.objects().try_collect().await.unwrap();
    for (path, size) in paths {
        let chunks: Vec<bytes::Bytes> = media.read_object(&path).await.unwrap().unwrap().try_collect().await.unwrap();
        let bytes = chunks.concat();
        assert_eq!(bytes.len() as u64, size, "{path}");
        all.insert(path, bytes);
    }
    all
}

/// A database and a data folder for a restore, and what came of it.
struct Restored {
    database: TestDatabase,
    home: TempDir,
    outcome: Result<Tally, BackupError>,
}

/// Restores a backup as the command does, with the jobs of the given server's release.
async fn restore(app: &TestApp, file: &Path, database: TestDatabase) -> Restored {
    restore_with(app, file, None, database).await
}

async fn restore_with(app: &TestApp, file: &Path, key: Option<&BackupKey>, database: TestDatabase) -> Restored {
    let home = tempfile::tempdir().unwrap();
    let env: Arc<dyn Env> = Arc::clone(&app.env) as Arc<dyn Env>;
    let limits = ProcessLimits::of_drawings();
    let drawer = Drawer::new(app.app.config.program.clone(), vec!["draw".into()], limits);
    let media = Media::new(&app.app.config.media, home.path(), &env, (drawer, app.app.config.drawing_wait)).unwrap();
    let registry = server::worker::registry(&app.app);
    let outcome =
        ::backup::restore(file, key, database.url(), &media, |pg| registry.set_aside_restored(pg, app.env.now())).await;
    if outcome.is_ok() {
        postgres::grant_rights(database.url(), &database.application_url()).unwrap();
    }
    Restored { database, home, outcome }
}

async fn write(app: &TestApp, file: &Path) -> Tally {
    server::backups::source(&app.app).write(file).await.unwrap()
}

#[tokio::test]
async fn a_restored_backup_has_the_same_rows_and_files_and_sends_nothing_twice() {
    let app = TestApp::start().await;
    app.load_content(None).await.unwrap();
    let ada = app.sign_up("ada@example.com").await;
    let walden = app.get("/api/books/list").await.result()["books"]["walden"].take();
    assert_eq!(app.work_off().await, 1, "the mail that asks to confirm the address is sent");
    // Queued at the moment of the backup: a mail, and the answer to a person who asks for a link.
    app.put("/api/user/forgot-password", json!({ "email": "ada@example.com" })).await.result();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pith.backup");

    let written = write(&app, &file).await;
    let (rows_before, objects_before) = (rows(app.database.url()), objects(&app.app.media).await);
    assert_eq!(written.rows, rows_before.values().map(|rows| rows.len() as u64).sum::<u64>());
    assert_eq!(written.files, objects_before.len() as u64);
    assert!(written.files > 100 && written.rows > 500, "{written:?}");
    // The site goes on, and does what was queued.
    assert!(app.work_off().await >= 1);

    let Restored { database, home, outcome } = restore(&app, &file, TestDatabase::empty()).await;
    let restored = outcome.unwrap();
    assert_eq!((restored.rows, restored.files), (written.rows, written.files));
    assert_eq!(restored.set_aside, 1);
    assert_eq!(indexes(&database), indexes(&app.database));
    let mut rows_after = rows(database.url());
    // The only difference is the job that was set aside.
    assert_ne!(rows_after["jobs"], rows_before["jobs"]);
    rows_after.insert("jobs".to_owned(), rows_before["jobs"].clone());
    assert_eq!(rows_after, rows_before);

    let other = TestApp::start_restored(database, home);
    assert_eq!(objects(&other.app.media).await, objects_before);
    assert_eq!(other.work_off().await, 0, "nothing is sent twice");
    assert_eq!(other.count("jobs WHERE state = 'set_aside' AND uncertain = 1"), 1);
    // The account, its right to the book, and the picture are there; numbers go on where they were.
    let login = json!({ "username": "ada@example.com", "password": PASSWORD });
    let result = other.post("/api/user/login", login).await.result();
    assert_eq!(result["user"]["id"], ada.user["id"]);
    let cover = other.get(walden["image"].as_str().unwrap()).await;
    assert_eq!(cover.status, 200, "{}", walden["image"]);
    assert!(other.sign_up("bob@example.com").await.id() > ada.id());
}

#[tokio::test]
async fn a_backup_of_a_site_in_use_is_of_one_moment() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().unwrap();
    let is_over = AtomicBool::new(false);
    // Each transaction adds a row to two tables: at every moment both have equally many.
    app.sql("CREATE TABLE left_side (id bigint GENERATED ALWAYS AS IDENTITY, text text NOT NULL)");
    app.sql("CREATE TABLE right_side (id bigint GENERATED ALWAYS AS IDENTITY, text text NOT NULL)");
    let add = "WITH one AS (INSERT INTO left_side (text) VALUES (repeat('x', 2000))) \
               INSERT INTO right_side (text) VALUES (repeat('y', 2000))";
    app.sql(add);
    let file = folder.path().join("pith.backup");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                app.sql(add);
            }
        });
        let mut last = 0;
        for round in 0..5 {
            let mut snapshot = Snapshot::begin(app.database.url()).unwrap();
            let mut counts = BTreeMap::new();
            for table in snapshot.tables().unwrap() {
                let count: &mut usize = counts.entry(table.name.clone()).or_default();
                snapshot
                    .rows::<kernel::StoreError>(&table, |rows| {
                        *count += rows.len();
                        Ok(())
                    })
                    .unwrap();
            }
            assert_eq!(counts["left_side"], counts["right_side"], "round {round}");
            assert!(counts["left_side"] > 0 && counts["left_side"] >= last);
            last = counts["left_side"];
        }
        is_over.store(true, Ordering::SeqCst);
    });
    // Tables that no migration makes are not restored in silence.
    write(&app, &file).await;
    let Restored { database, outcome, .. } = restore(&app, &file, TestDatabase::empty()).await;
    assert!(
        matches!(&outcome, Err(BackupError::Restore(RestoreError::OtherTables(name))) if name == "left_side"),
        "{outcome:?}"
    );
    assert_eq!(rows(database.url()), BTreeMap::new());
}

#[tokio::test]
async fn a_damaged_backup_and_one_for_a_full_database_change_nothing() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pith.backup");
    write(&app, &file).await;
    let again = server::backups::source(&app.app).write(&file).await;
    assert!(matches!(again, Err(BackupError::Exists)), "{again:?}");

    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0b0000_1000;
    let damaged = folder.path().join("damaged.backup");
    fs::write(&damaged, bytes).unwrap();
    let Restored { database, home, outcome } = restore(&app, &damaged, TestDatabase::empty()).await;
    assert!(matches!(outcome, Err(BackupError::Damaged)), "{outcome:?}");
    assert_eq!(rows(database.url()), BTreeMap::new());
    assert_eq!(fs::read_dir(home.path().join("media")).unwrap().count(), 0);

    let other = TestDatabase::new();
    let before = rows(other.url());
    let Restored { outcome, database, .. } = restore(&app, &file, other).await;
    assert!(matches!(outcome, Err(BackupError::Restore(RestoreError::NotEmpty))), "{outcome:?}");
    assert_eq!(rows(database.url()), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no partial file is left");
}

#[actix_web::test]
async fn a_backup_that_is_stopped_leaves_nothing_and_the_next_one_is_whole_and_known() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pith.backup");
    let start = || {
        let mut pith = Command::new(env!("CARGO_BIN_EXE_pith"));
        pith.arg("backup").arg(&file).env_clear().envs([
            ("DATABASE_URL", app.database.application_url().as_str()),
            ("PITH_SECRET", SECRET),
            ("PUBLIC_URL", "http://localhost:4000"),
            ("PITH_HOME", &app.home().display().to_string()),
        ]);
        pith.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts")
    };
    // It waits for this lock in the middle.
    let mut holder = app.connect();
    holder.batch_execute("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE").unwrap();
    let running = start();
    while !folder.path().join("pith.backup.partial").exists() {
        tokio::task::yield_now().await;
    }
    let pid = running.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("a program of every system").success());
    let ended = running.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.contains("it was stopped"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "neither a backup nor a part of one");
    holder.batch_execute("COMMIT").unwrap();
    assert_eq!(app.count("backups"), 0);

    let whole = start().wait_with_output().expect("it ends");
    assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
    assert_eq!(app.count(&format!("backups WHERE bytes = {}", fs::metadata(&file).unwrap().len())), 1);
}

const KEY: &str = "a key of backups that nobody guesses";

#[tokio::test]
async fn an_encrypted_backup_is_restored_with_its_key_and_with_no_other() {
    let app = TestApp::start_with(&[("BACKUP_KEY", KEY)]).await;
    app.sign_up("ada@example.com").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pith.backup");
    write(&app, &file).await;
    let bytes = fs::read(&file).unwrap();
    for word in ["backup.json", "rows/"] {
        assert!(!bytes.windows(word.len()).any(|window| window == word.as_bytes()), "{word} can be read");
    }

    let Restored { outcome, .. } = restore(&app, &file, TestDatabase::empty()).await;
    assert!(matches!(outcome, Err(BackupError::KeyIsMissing)), "{outcome:?}");
    let other = BackupKey::new(&Secret::new("another key"));
    let Restored { outcome, database, .. } = restore_with(&app, &file, Some(&other), TestDatabase::empty()).await;
    assert!(matches!(outcome, Err(BackupError::Disk(_))), "{outcome:?}");
    assert_eq!(rows(database.url()), BTreeMap::new());
    let key = app.app.config.backup.key.clone();
    let Restored { outcome, database, .. } = restore_with(&app, &file, key.as_ref(), TestDatabase::empty()).await;
    outcome.unwrap();
    assert_eq!(rows(database.url())["users"], rows(app.database.url())["users"]);
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Does what is due: also a backup, if one is.
async fn work(app: &TestApp) {
    app.queue_scheduled().await;
    app.work_off().await;
}

#[tokio::test]
async fn scheduled_backups_are_made_tried_and_deleted_when_they_are_no_longer_kept() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = TestDatabase::empty();
    let to = folder.path().join("backups");
    let app = TestApp::start_with(&[
        // The tests' clock begins at noon, UTC.
        ("BACKUP_SCHEDULE", "11:00"),
        ("BACKUP_TO", to.to_str().unwrap()),
        ("BACKUP_KEEP", "2/0/0"),
        ("BACKUP_KEY", KEY),
        ("BACKUP_VERIFY_URL", scratch.url()),
    ])
    .await;
    work(&app).await;
    let first = names(&to);
    assert_eq!(first.len(), 1, "the first one is made at once: {first:?}");
    assert_eq!(rows(scratch.url()), BTreeMap::new(), "the scratch database is empty again");
    assert_eq!(app.count("backups WHERE is_verified AND scheduled_at IS NOT NULL"), 1);

    app.env.advance(HOUR);
    work(&app).await;
    assert_eq!(names(&to), first, "the next one is due tomorrow");
    for _ in 0..2 {
        app.env.advance(DAY);
        work(&app).await;
    }
    let kept = names(&to);
    assert_eq!((kept.len(), kept.contains(&first[0])), (2, false), "{kept:?}");
    // What the schedule has made is restored like any other.
    let key = app.app.config.backup.key.clone();
    let Restored { outcome, .. } = restore_with(&app, &to.join(&kept[1]), key.as_ref(), TestDatabase::empty()).await;
    outcome.unwrap();

    // A backup that can't be restored is kept, and the back office says so.
    scratch.connect().batch_execute("CREATE TABLE in_the_way (id bigint)").unwrap();
    app.env.advance(DAY);
    work(&app).await;
    assert_eq!(app.count("backups WHERE NOT is_verified AND fault <> ''"), 1);
    let admin = app.sign_up_with_role("ada@example.com", "admin").await;
    let system = app.get_as(&admin, "/api/admin/system").await.result();
    assert_eq!(system["backup"]["isVerified"], false);
    assert!(system["problems"].to_string().contains("could not be restored, to try it"), "{}", system["problems"]);
}

#[tokio::test]
async fn scheduled_backups_go_to_a_bucket_and_leave_nothing_on_the_machine() {
    let root = tempfile::tempdir().unwrap();
    let bucket = ObjectServer::start(root.path(), &["backups"]);
    let vars = [
        ("BACKUP_SCHEDULE", "11:00"),
        ("BACKUP_TO", "s3://backups/pith"),
        ("BACKUP_KEEP", "1/0/0"),
        ("S3_ENDPOINT", &bucket.endpoint),
        ("S3_ACCESS_KEY_ID", object_server::ACCESS_KEY_ID),
        ("S3_SECRET_ACCESS_KEY", object_server::SECRET_ACCESS_KEY),
    ];
    let app = TestApp::start_with(&vars).await;
    work(&app).await;
    let first = bucket.objects("backups");
    assert_eq!(first.len(), 1, "{first:?}");
    assert!(first[0].starts_with("pith/pith-"), "{first:?}");
    app.env.advance(DAY);
    work(&app).await;
    let second = bucket.objects("backups");
    assert!(second.len() == 1 && second != first, "{second:?}");
    assert_eq!(names(&app.home().join("backups")), Vec::<String>::new());
    assert_eq!(app.count("backups"), 2);
}

//! What the server would send, read without a worker.

use kernel::StoreError;
use mail::Mail;
use workflows::identity::recovery;

use super::TestApp;

#[derive(diesel::QueryableByName)]
struct Row {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    id: i64,
    #[diesel(sql_type = diesel::sql_types::Binary)]
    payload: Vec<u8>,
}

impl TestApp {
    /// Does what a worker does with what people asked for who can't log in; gives how many did.
    pub fn answer_asked(&self) -> usize {
        let asked = "SELECT id, payload FROM jobs WHERE kind = 'recovery' AND payload IS NOT NULL ORDER BY id";
        let asked: Vec<Row> = self.rows(asked);
        for row in &asked {
            let answered = self.app.transactions.write_now::<_, StoreError>(|tx| {
                let (email, request) = recovery::open_request(tx.seal, &row.payload)?;
                recovery::answer_recovery(tx, &email, &request)
            });
            answered.expect("what was asked for can be answered");
            self.sql(&format!("DELETE FROM jobs WHERE id = {}", row.id));
        }
        asked.len()
    }

    /// The mails to one address that are queued, oldest first.
    pub fn mails_to(&self, email: &str) -> Vec<Mail> {
        self.answer_asked();
        self.mails().into_iter().filter(|(to, _)| to == email).map(|(_, mail)| mail).collect()
    }

    /// Takes the queued mails away, so that only what comes next is seen.
    pub fn forget_mails(&self) {
        self.answer_asked();
        self.sql("DELETE FROM jobs");
    }
}

/// What follows the last `/` or `#` of a link.
pub fn secret_of(link: &str) -> String {
    link.rsplit(['/', '#']).next().expect("a link has a last part").to_owned()
}

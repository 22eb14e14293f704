//! Lists of the back office as CSV files: every row that matches the list's filter, page by page (`admin.list-exports`).

use std::sync::Arc;

use actix_web::{HttpResponse, http::header, web::Data};
use admin::{Actor, AuditEvent, Subject, SubjectKind};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use kernel::{StoreError, TimeZone, Timestamp};
use workflows::tx::ReadTx;

use crate::{app::App, http::error::ApiError};

/// A row of an exported list.
pub(crate) trait ExportedRow {
    /// The names of the columns.
    const COLUMNS: &'static [&'static str];

    /// The row's texts, one for each column.
    fn cells(&self) -> Vec<String>;
}

/// A day of UTC's calendar: '2026-11-26'.
pub(crate) fn day(millis: i64) -> String {
    TimeZone::UTC.day_of(Timestamp::from_millis(millis)).to_string()
}

/// A time that may be missing.
pub(crate) fn day_or_nothing(millis: Option<i64>) -> String {
    millis.map(day).unwrap_or_default()
}

/// Cents as a plain number: '59.99'.
pub(crate) fn amount(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

/// Spreadsheets run a cell that begins with one of these as a formula, unless an apostrophe stands before it.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

fn safe(cell: String) -> String {
    let is_number = || cell.parse::<f64>().is_ok_and(f64::is_finite) && !cell.starts_with('+');
    if cell.starts_with(FORMULA) && !is_number() { format!("'{cell}") } else { cell }
}

/// Lines of a CSV file (RFC 4180).
fn lines(rows: impl IntoIterator<Item = Vec<String>>) -> Result<Bytes, ApiError> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.into_iter().map(safe)).map_err(ApiError::internal)?;
    }
    writer.into_inner().map(Bytes::from).map_err(ApiError::internal)
}

/// A mark by which spreadsheets recognize UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A whole CSV file, for spreadsheets.
///
/// # Errors
/// If a row can't be written.
pub(crate) fn csv_file(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Result<Bytes, ApiError> {
    let columns = columns.iter().map(|name| (*name).to_owned()).collect();
    let lines = lines(std::iter::once(columns).chain(rows))?;
    Ok([BYTE_ORDER_MARK, &lines].concat().into())
}

/// Records in the audit log that an admin exports a list, and responds with its rows as they are read: `read` gets a page by its
/// cursor. `list` names the file and, in the log, the list.
pub(crate) async fn export<Row, Key, Read>(
    app: Data<App>,
    actor: Actor,
    list: &'static str,
    read: Read,
) -> Result<HttpResponse, ApiError>
where
    Row: ExportedRow + Send + 'static,
    Key: Clone + Send + Sync + 'static,
    Read: Fn(&mut ReadTx<'_, '_>, Option<Key>) -> Result<(Vec<Row>, Option<Key>), StoreError> + Send + Sync + 'static,
{
    let subject = Subject { name: Some(list.to_owned()), ..Subject::whole(SubjectKind::Site) };
    let recorded = app.transactions.write_as::<_, StoreError, _>(actor, move |_, trail| {
        trail.record(AuditEvent::new("site.export", subject));
        Ok(())
    });
    recorded.await?;
    let read = Arc::new(read);
    let page = move |after: Option<Key>| {
        let (app, read) = (app.clone(), Arc::clone(&read));
        async move {
            let found = app.read_tx_from_replica::<_, StoreError, _>(move |tx| read(tx, after.clone())).await;
            found.map_err(ApiError::from)
        }
    };
    // What fails at the first page is an error as of any call; what fails later breaks the file off.
    let (first, next) = page(None).await?;
    let columns = Row::COLUMNS.iter().map(|name| (*name).to_owned()).collect();
    let head = lines(std::iter::once(columns).chain(first.iter().map(Row::cells)))?;
    let rest = stream::try_unfold(next, move |after| {
        let read_page = page.clone();
        async move {
            let Some(after) = after else { return Ok(None) };
            let (rows, next) = read_page(Some(after)).await?;
            Ok::<_, ApiError>(Some((lines(rows.iter().map(Row::cells))?, next)))
        }
    });
    let begin = stream::iter([Ok(Bytes::from_static(BYTE_ORDER_MARK)), Ok(head)]);
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{list}.csv\"")))
        .insert_header((header::CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .streaming(begin.chain(rest).map_err(actix_web::Error::from)))
}

#[cfg(test)]
mod tests {
    use super::{amount, day, lines};

    fn text(row: &[&str]) -> String {
        let row = row.iter().map(|cell| (*cell).to_owned()).collect();
        String::from_utf8(lines([row]).expect("it is written").to_vec()).expect("it is text")
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(
            text(&["Ada, \"the first\"", "two\nlines", "", "plain"]),
            "\"Ada, \"\"the first\"\"\",\"two\nlines\",,plain\r\n"
        );
    }

    #[test]
    fn no_cell_is_a_formula() {
        assert_eq!(
            text(&["=HYPERLINK(\"x\")", "@a", "-2+3", "-2", "-3.50", "+1", "\tx", "a=b", "-inf"]),
            "\"'=HYPERLINK(\"\"x\"\")\",'@a,'-2+3,-2,-3.50,'+1,'\tx,a=b,'-inf\r\n"
        );
    }

    #[test]
    fn sums_and_days_are_plain() {
        assert_eq!([0, 5, -5, 123_456, -123_400].map(amount), ["0.00", "0.05", "-0.05", "1234.56", "-1234.00"]);
        assert_eq!(day(1_781_524_800_000), "2026-06-15");
    }
}

//! The daily goal and the reading time, in Postgres.

use std::ops::Range;

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, insert_into,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, SmallInt, Text, Timestamptz},
};
use kernel::{BookId, Day, Device, StoreError, TimeZone, Timestamp, UserId, Year};
use reading_progress::{
    DEVICES_A_DAY, DayOfReading, DaysOfReading, Goal, GoalCommands, GoalQueries, GoalSettings, GoalUnit, ReadTime,
};

use super::position_from;
use crate::{
    Pg,
    schema::reading_goals,
    statement::statement,
    time::{from_db, to_db},
};

/// The unit and amount of a goal, and whether the time is counted.
type SettingsColumns = (Option<String>, Option<i16>, Option<bool>);

statement! {
    /// A reader's settings, and the days with reading time or completed summaries. Days are counted from 1 January 1970.
    SelectDays { reader: i64, first: i32, last: i32 } -> (
        Text,
        (Nullable<Text>, Nullable<SmallInt>, Nullable<Bool>),
        (Array<Integer>, Array<BigInt>, Array<Integer>),
    ) = [
        "SELECT u.timezone, g.unit, g.amount, g.counts_time, d.days, d.seconds, d.completions
        FROM users u
        LEFT JOIN reading_goals g ON g.user_id = u.id
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(day - DATE '1970-01-01' ORDER BY day), '{}') AS days,
                coalesce(array_agg(coalesce(seconds, 0) ORDER BY day), '{}') AS seconds,
                coalesce(array_agg(coalesce(completions, 0) ORDER BY day), '{}') AS completions
            FROM (
                SELECT day, sum(seconds)::bigint AS seconds FROM reading_time WHERE user_id = u.id GROUP BY day
            ) t
            FULL JOIN (SELECT day, completions FROM reading_days WHERE user_id = u.id) r USING (day)
            WHERE day BETWEEN DATE '1970-01-01' + " (first: Integer) "::integer AND DATE '1970-01-01' + " (last: Integer) "::integer
        ) d
        WHERE u.id = " (reader: BigInt)
    ]
}

statement! {
    /// The first completions of published books that are shown in the history, by time.
    SelectCompletions { reader: i64, from: DateTime<Utc>, to: DateTime<Utc> } -> (BigInt, Timestamptz) = [
        "SELECT h.book_id, h.completed_at FROM history h JOIN books b ON b.id = h.book_id AND b.published
        WHERE h.user_id = " (reader: BigInt) " AND h.completed_at >= " (from: Timestamptz) " AND h.completed_at < " (to: Timestamptz)
        " AND " {super::is_shown!()} " ORDER BY h.completed_at, h.book_id"
    ]
}

statement! {
    SelectYears { reader: i64 } -> Integer = [
        "SELECT DISTINCT extract(year FROM day)::integer AS year FROM (
            SELECT user_id, day FROM reading_days UNION ALL SELECT user_id, day FROM reading_time
        ) days WHERE user_id = " (reader: BigInt) " ORDER BY year"
    ]
}

statement! {
    /// Stores the greater number of each day. The account is locked against its deletion; without one, there is no row.
    MergeTime { reader: i64, device: String, days: Vec<i32>, seconds: Vec<i32>, devices: i64 } -> () = [
        "WITH reader AS (SELECT id FROM users WHERE id = " (reader: BigInt) " FOR KEY SHARE),
        given AS (
            SELECT r.id, DATE '1970-01-01' + g.day AS day, " (device: Text) " AS device, g.seconds
            FROM reader r, unnest(" (days: Array<Integer>) "::integer[], " (seconds: Array<Integer>) "::integer[]) AS g (day, seconds)
        )
        INSERT INTO reading_time AS t (user_id, day, device, seconds)
        SELECT id, day, device, seconds FROM given g
        WHERE (SELECT count(*) FROM reading_time o WHERE o.user_id = g.id AND o.day = g.day AND o.device <> g.device) < " (devices: BigInt) "
        ON CONFLICT (user_id, day, device) DO UPDATE SET seconds = excluded.seconds WHERE t.seconds < excluded.seconds"
    ]
}

statement! {
    SelectTime { reader: i64 } -> (Integer, Text, Integer) = [
        "SELECT day - DATE '1970-01-01', device, seconds FROM reading_time WHERE user_id = " (reader: BigInt) " ORDER BY day, device"
    ]
}

impl<A> GoalQueries for Pg<'_, A> {
    fn days_of_reading(&mut self, reader: UserId, from: Day, to: Day) -> Result<Option<DaysOfReading>, StoreError> {
        type Row = (String, SettingsColumns, (Vec<i32>, Vec<i64>, Vec<i32>));
        let select = SelectDays { reader: reader.get(), first: from.since_epoch(), last: to.since_epoch() };
        let row: Option<Row> = self.run(|conn| select.get_result(conn).optional())?;
        let Some((time_zone, settings, (days, seconds, completions))) = row else { return Ok(None) };
        let days = days.into_iter().zip(seconds).zip(completions).map(|((day, seconds), summaries)| {
            DayOfReading::new(Day::from_epoch(day), seconds.unsigned_abs(), position_from(summaries))
        });
        Ok(Some(DaysOfReading {
            time_zone: TimeZone::named(&time_zone),
            settings: settings_from(settings)?,
            days: days.collect(),
        }))
    }

    fn completions_within(
        &mut self,
        reader: UserId,
        range: Range<Timestamp>,
    ) -> Result<Vec<(BookId, Timestamp)>, StoreError> {
        let select = SelectCompletions { reader: reader.get(), from: to_db(range.start), to: to_db(range.end) };
        let rows: Vec<(i64, DateTime<Utc>)> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(|(book, at)| (BookId::from_store(book), from_db(at))).collect())
    }

    fn years_of_reading(&mut self, reader: UserId) -> Result<Vec<Year>, StoreError> {
        let select = SelectYears { reader: reader.get() };
        let rows: Vec<i32> = self.run(|conn| select.load(conn))?;
        Ok(rows.into_iter().map(|year| Year::new(i64::from(year))).collect())
    }
}

impl GoalCommands for Pg<'_> {
    fn save_goal_settings(&mut self, reader: UserId, settings: GoalSettings) -> Result<(), StoreError> {
        let goal = settings.goal();
        let now = (
            reading_goals::unit.eq(goal.map(|goal| unit_text(goal.unit()))),
            reading_goals::amount.eq(goal.map(|goal| i16::try_from(goal.amount()).unwrap_or(i16::MAX))),
            reading_goals::counts_time.eq(settings.counts_time()),
        );
        self.run(|conn| {
            insert_into(reading_goals::table)
                .values((reading_goals::user_id.eq(reader.get()), now))
                .on_conflict(reading_goals::user_id)
                .do_update()
                .set(now)
                .execute(conn)
        })?;
        Ok(())
    }

    fn merge_reading_time(&mut self, reader: UserId, device: &Device, days: &[(Day, u32)]) -> Result<(), StoreError> {
        let merge = MergeTime {
            reader: reader.get(),
            device: device.as_str().to_owned(),
            days: days.iter().map(|(day, _)| day.since_epoch()).collect(),
            seconds: days.iter().map(|(_, seconds)| i32::try_from(*seconds).unwrap_or(i32::MAX)).collect(),
            devices: i64::from(DEVICES_A_DAY),
        };
        self.run(|conn| merge.execute(conn))?;
        Ok(())
    }
}

/// The goal of a reader, and the reading time of each device, for the records.
pub(super) fn records_of<A>(pg: &mut Pg<'_, A>, reader: i64) -> Result<(GoalSettings, Vec<ReadTime>), StoreError> {
    let settings: Option<SettingsColumns> = pg.run(|conn| {
        reading_goals::table
            .find(reader)
            .select((reading_goals::unit, reading_goals::amount, reading_goals::counts_time.nullable()))
            .first(conn)
            .optional()
    })?;
    let select = SelectTime { reader };
    let rows: Vec<(i32, String, i32)> = pg.run(|conn| select.load(conn))?;
    let time = rows.into_iter().map(|(day, device, seconds)| {
        let device = Device::parse(&device).ok_or_else(|| StoreError::new(format!("no device name: {device:?}")))?;
        Ok(ReadTime { day: Day::from_epoch(day), device, seconds: position_from(seconds) })
    });
    Ok((settings_from(settings.unwrap_or_default())?, time.collect::<Result<_, StoreError>>()?))
}

const fn unit_text(unit: GoalUnit) -> &'static str {
    match unit {
        GoalUnit::Minutes => "minutes",
        GoalUnit::Summaries => "summaries",
    }
}

fn settings_from((unit, amount, counts_time): SettingsColumns) -> Result<GoalSettings, StoreError> {
    let Some(counts_time) = counts_time else { return Ok(GoalSettings::default()) };
    let unit = match unit.as_deref() {
        None => None,
        Some("minutes") => Some(GoalUnit::Minutes),
        Some("summaries") => Some(GoalUnit::Summaries),
        Some(other) => return Err(StoreError::new(format!("no unit of a goal: {other:?}"))),
    };
    let goal = unit.zip(amount).map(|(unit, amount)| Goal::new(unit, u32::from(amount.unsigned_abs())));
    GoalSettings::new(goal.transpose().map_err(StoreError::new)?, counts_time).map_err(StoreError::new)
}

//! The archive's chapters about the account: profile, devices, sign-in methods, invitations, e-reader, own summaries and
//! analytics events.

use catalogue::CatalogueLists;
use delivery::{DeliveryItem, EReaderQueries, SyncQueries, SyncedPlace};
use identity::{FactorQueries, IdentityQueries, ProviderQueries, StoredPasskey};
use kernel::{BookId, Email, Limit, Page, SummaryId};
use referral::ReferralQueries;
use serde_json::json;
use summaries::{Engine, MemberSummaryQueries};

use crate::identity::archive::{ArchiveError, Draft, date_of, utc};
use crate::tx::Tx;

/// How many events are read at a time.
const EVENTS: i64 = 500;

/// The member's profile.
pub(super) fn profile<A>(_: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let owner = draft.owner;
    let friend = owner.friend_email.as_ref().map(Email::as_str);
    draft.zip.json(
        "account.json",
        &json!({
            "id": owner.id.get(),
            "email": owner.email.as_str(),
            "emailConfirmedAt": utc(owner.email_confirmed_at),
            "firstName": owner.first_name,
            "lastName": owner.last_name,
            "timezone": owner.timezone,
            "role": owner.role.as_str(),
            "friendEmail": friend,
            "createdAt": utc(Some(owner.created_at)),
        }),
    )?;
    let page = &mut draft.profile;
    page.heading("Account");
    page.item("Name:", &format!("{} {}", owner.first_name, owner.last_name));
    page.item("Email address:", owner.email.as_str());
    let confirmed = owner.email_confirmed_at.map(|at| draft.zone.day(at));
    page.item("Confirmed:", &confirmed.map_or_else(|| "not yet".to_owned(), |day| format!("on {day}")));
    page.item("Time zone:", &owner.timezone);
    page.item("Signed up:", &format!("on {}", draft.zone.day(owner.created_at)));
    Ok(())
}

/// The devices on which the member is or was signed in.
pub(super) fn devices<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let sessions = tx.pg.sessions_of(draft.owner.id)?;
    let page = &mut draft.profile;
    page.heading("Devices");
    for device in &sessions {
        let session = device.session;
        let state = if session.is_live(draft.now) { "logged in" } else { "logged out" };
        let seen = draft.zone.moment(session.last_seen_at);
        let since = draft.zone.day(session.created_at);
        page.item(&device.device, &format!("{}, since {since}, last seen on {seen}, {state}", device.place));
    }
    draft.zip.json_list(
        "sessions.json",
        sessions.into_iter().map(|device| {
            let session = device.session;
            json!({
                "id": session.id.get(),
                "device": device.device,
                "place": device.place,
                "createdAt": utc(Some(session.created_at)),
                "lastSeenAt": utc(Some(session.last_seen_at)),
                "expiresAt": utc(Some(session.expires_at)),
                "endedAt": utc(session.revoked_at),
            })
        }),
    )?;
    Ok(())
}

/// The API tokens, without their texts, which are not kept.
pub(super) fn api_tokens<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let tokens = tx.pg.api_tokens_of(draft.owner.id)?;
    let page = &mut draft.profile;
    page.heading("API tokens");
    if tokens.is_empty() {
        page.nothing("None.");
    }
    for token in &tokens {
        page.item(&token.name, &format!("since {}", draft.zone.day(token.created_at)));
    }
    let entries = tokens.into_iter().map(|token| {
        json!({
            "id": token.id.get(),
            "name": token.name,
            "scopes": token.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>(),
            "createdAt": utc(Some(token.created_at)),
            "lastUsedOn": token.last_used_on.map(date_of),
        })
    });
    draft.zip.json_list("api-tokens.json", entries)?;
    Ok(())
}

/// The sign-in providers linked to the account.
pub(super) fn providers<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let connections = tx.pg.providers_of(draft.owner.id)?;
    let page = &mut draft.profile;
    page.heading("Login providers");
    for connection in &connections {
        let email = connection.email.as_ref().map(|email| format!(" as {}", email.as_str())).unwrap_or_default();
        let since = draft.zone.day(connection.connected_at);
        page.item(connection.provider.title(), &format!("connected on {since}{email}"));
    }
    if connections.is_empty() {
        page.nothing("None connected.");
    }
    draft.zip.json_list(
        "providers.json",
        connections.iter().map(|connection| {
            json!({
                "provider": connection.provider.as_str(),
                "subject": connection.subject,
                "email": connection.email.as_ref().map(Email::as_str),
                "connectedAt": utc(Some(connection.connected_at)),
            })
        }),
    )?;
    Ok(())
}

/// The names of the member's passkeys, and whether an authenticator app is set up.
pub(super) fn passkeys<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let protection = tx.pg.protection(draft.owner.id)?;
    let passkeys = tx.pg.passkeys(draft.owner.id)?;
    let page = &mut draft.profile;
    page.heading("Passkeys and second factor");
    page.item("Authenticator app:", if protection.totp { "on" } else { "off" });
    for StoredPasskey { passkey, .. } in &passkeys {
        let used = passkey.last_used_at.map(|at| format!(", last used on {}", draft.zone.moment(at)));
        let said = format!("added on {}{}", draft.zone.day(passkey.created_at), used.unwrap_or_default());
        page.item(passkey.name.as_str(), &said);
    }
    draft.zip.json("second-factor.json", &json!({ "totp": protection.totp }))?;
    draft.zip.json_list(
        "passkeys.json",
        passkeys.iter().map(|StoredPasskey { passkey, .. }| {
            json!({
                "name": passkey.name.as_str(),
                "createdAt": utc(Some(passkey.created_at)),
                "lastUsedAt": utc(passkey.last_used_at),
            })
        }),
    )?;
    Ok(())
}

/// The friends that the member has invited.
pub(super) fn invitations<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let invited = tx.pg.invitations(draft.owner.id)?;
    let page = &mut draft.profile;
    page.heading("Friends you invited");
    for one in &invited {
        page.item(one.friend.as_str(), &format!("on {}", draft.zone.day(one.at)));
    }
    if invited.is_empty() {
        page.nothing("Nobody yet.");
    }
    draft.zip.json_list(
        "invitations.json",
        invited.iter().map(|one| json!({ "friendEmail": one.friend.as_str(), "at": utc(Some(one.at)) })),
    )?;
    Ok(())
}

/// The address of the member's e-reader, and the deliveries to it.
pub(super) fn e_reader<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let address = tx.pg.kindle_address(draft.owner.id)?;
    let deliveries = Page::all(|after| tx.pg.deliveries(draft.owner.id, after, Limit::clamped(Limit::MAX)))?;
    let books: Vec<BookId> = deliveries.iter().filter_map(|delivery| delivery.item.book()).collect();
    let books = tx.pg.book_names(&books)?;
    let summaries: Vec<SummaryId> = deliveries.iter().filter_map(|delivery| delivery.item.summary()).collect();
    let summaries = tx.pg.summary_titles(draft.owner.id, &summaries)?;
    let title_of = |item: DeliveryItem| match item {
        DeliveryItem::Book(id) => books.get(&id).map(|book| book.title.as_str()),
        DeliveryItem::Summary(id) => summaries.get(&id).map(String::as_str),
    };
    let page = &mut draft.profile;
    page.heading("E-reader");
    let address = address.as_ref().map(|address| address.email().as_str());
    page.item("Its address:", address.unwrap_or("not set"));
    for delivery in &deliveries {
        let title = title_of(delivery.item).unwrap_or("A book that is no longer here");
        page.item(
            title,
            &format!("{}, requested on {}", delivery.state.as_str(), draft.zone.moment(delivery.asked_at)),
        );
    }
    draft.zip.json("e-reader.json", &json!({ "kindleEmail": address }))?;
    draft.zip.json_list(
        "deliveries.json",
        deliveries.iter().map(|delivery| {
            json!({
                "bookId": delivery.item.book().map(BookId::get),
                "summaryId": delivery.item.summary().map(SummaryId::get),
                "title": title_of(delivery.item),
                "state": delivery.state.as_str(),
                "why": delivery.why,
                "at": utc(Some(delivery.asked_at)),
                "endedAt": utc(delivery.ended_at),
            })
        }),
    )?;
    synced_places(tx, draft)
}

/// The positions that the member's e-reader programs synchronize.
fn synced_places<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let places = tx.pg.synced_places(draft.owner.id)?;
    if !places.is_empty() {
        draft.profile.item("Documents whose position is synchronized:", &places.len().to_string());
    }
    let entry = |place: &SyncedPlace| {
        json!({
            "document": place.document.as_str(),
            "progress": place.progress,
            "percentage": place.percentage,
            "device": place.device,
            "deviceId": place.device_id,
            "at": utc(Some(place.at)),
        })
    };
    draft.zip.json_list("synced-places.json", places.iter().map(entry))?;
    Ok(())
}

/// The member's own summaries with their source texts. Each may be large, so they are read one by one.
pub(super) fn own_summaries<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let member = draft.owner.id;
    let mut list = draft.zip.begin_list("summaries.json")?;
    let mut after = None;
    loop {
        let (page, _) = tx.pg.search_summaries(member, "", after, Limit::clamped(Limit::MAX))?;
        for summary in page.items {
            let text = tx.pg.member_summary_text(member, summary.id)?;
            list.push(&json!({
                "id": summary.id.get(),
                "title": summary.title,
                "source": { "kind": summary.source.kind.as_str(), "name": summary.source.name, "url": summary.source.url },
                "state": summary.state.as_str(),
                "engine": summary.engine.map(Engine::as_str),
                "fellBack": summary.fell_back,
                "language": summary.language.map(|language| json!({ "code": language.code, "name": language.name })),
                "ideas": text.as_ref().map_or(&[][..], |text| &text.ideas),
                "headings": text.as_ref().map_or(&[][..], |text| &text.headings),
                "sourceText": text.as_ref().map(|text| &text.text),
                "at": utc(Some(summary.created_at)),
                "doneAt": utc(summary.done_at),
            }))?;
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(list.end()?)
}

/// The analytics events recorded for the member. There may be many, so they are read in pages.
pub(super) fn events<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let mut list = draft.zip.begin_list("events.json")?;
    let mut after = 0;
    loop {
        let events = tx.pg.events_of(draft.owner.id, after, EVENTS)?;
        for event in &events {
            list.push(&json!({ "name": event.name, "at": utc(Some(event.at)) }))?;
        }
        match events.last() {
            Some(newest) => after = newest.id,
            None => break,
        }
    }
    Ok(list.end()?)
}

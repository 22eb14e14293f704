//! The accounts of the demo profile (`site.demo-profile`). Other profiles never get them.

use billing::{Billing, Entitlement};
use catalogue::CatalogueQueries;
use identity::{
    Identity, IdentityCommands, IdentityError, IdentityQueries, Password, Registration, RegistrationForm, Role,
};
use kernel::{DAY, Email, Timestamp};
use reading_progress::ReadingProgress;
use serde_json::json;

use crate::Target;

/// The password of all demo accounts.
const PASSWORD: &str = "pith-demo-2026";

/// How many categories the paying demo members have chosen.
const CHOSEN: usize = 3;

struct Demo {
    email: &'static str,
    first_name: &'static str,
    last_name: &'static str,
    role: Role,
    is_paid: bool,
    /// Has a year of reading history.
    has_read: bool,
}

const fn demo(
    email: &'static str,
    first_name: &'static str,
    last_name: &'static str,
    role: Role,
    is_paid: bool,
) -> Demo {
    Demo { email, first_name, last_name, role, is_paid, has_read: false }
}

const ACCOUNTS: [Demo; 5] = [
    demo("admin@example.com", "Ada", "Admin", Role::Admin, true),
    demo("editor@example.com", "Edith", "Editor", Role::Editor, true),
    demo("paid@example.com", "Paul", "Paid", Role::Member, true),
    demo("free@example.com", "Fanny", "Free", Role::Member, false),
    Demo { has_read: true, ..demo("regular@example.com", "Rita", "Regular", Role::Member, true) },
];

/// Creates the missing accounts, and the banner; returns the addresses of the new accounts. For the demo profile only.
pub fn create_demo_accounts(target: &Target<'_>) -> anyhow::Result<Vec<&'static str>> {
    let mut created = Vec::new();
    for demo in &ACCOUNTS {
        let email = Email::parse(demo.email)?;
        let there = target.db.write_now::<_, IdentityError>(|pg| Ok(pg.account(&email)?))?;
        if there.is_some() {
            continue;
        }
        let registration = Registration::read(RegistrationForm {
            email: demo.email,
            password: PASSWORD,
            first_name: demo.first_name,
            last_name: demo.last_name,
            timezone: Some("UTC"),
        })?;
        let hash = Password::choose(PASSWORD)?.hash(target.env);
        let now = target.env.now();
        target.db.write_now::<_, anyhow::Error>(|pg| {
            let user = pg.register(&registration, &hash, now)?;
            pg.grant_role(&email, demo.role, now)?;
            pg.confirm_user_email(user.id, now)?;
            if demo.is_paid {
                pg.grant_entitlement(user.id, &yearly(now))?;
                // The paying members have chosen categories before; the free account shows how a new member starts.
                let chosen: Vec<_> = pg.categories()?.iter().take(CHOSEN).map(|category| category.id).collect();
                if !chosen.is_empty() {
                    pg.set_recommends(user.id, &chosen)?;
                }
            }
            if demo.has_read {
                crate::year::read_for_a_year(pg, user.id, now)?;
            }
            Ok(())
        })?;
        created.push(demo.email);
    }
    let banner = json!({
        "text": "By the year, a plan costs more than 40% less than by the month.",
        "linkText": "See the plans",
        "href": "/try",
    });
    target.db.write_now::<_, anyhow::Error>(|pg| {
        if pg.site_content("banner")?.is_none() {
            pg.save_site_content("banner", &banner)?;
        }
        Ok(())
    })?;
    Ok(created)
}

/// A yearly plan that starts now.
fn yearly(now: Timestamp) -> Entitlement {
    Entitlement {
        plan_id: "yearly".to_owned(),
        plan_name: "Yearly".to_owned(),
        starts_at: now,
        ends_at: Some(now.plus(365 * DAY)),
    }
}

//! The operator's proof that ledger, entitlements and payment providers agree (`billing.ledger-check`).

use crate::harness::{START, TestApp};
use billing::{Billing, BillingCommands, Movement, MovementKind, PurchaseKey};
use kernel::{Money, Period, StoreError, UserId};
use reqwest::Method;
use serde_json::json;
use workflows::billing::ledger_check::check_ledger;

/// Runs the check; gives whether it succeeded, and what it said.
async fn ledger_check(app: &TestApp) -> (bool, String) {
    let output = app.operator_command("ledger-check").await;
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[actix_web::test]
async fn a_ledger_that_agrees_passes_and_what_does_not_agree_is_named() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let request = app.request(Method::POST, "/api/charge/process/lifetime").bearer_auth(&ada.token);
    let body = json!({ "token": "pm_card_visa", "email": "ada@example.com" });
    crate::harness::reply(request.json(&body)).await.result();

    let report = check_ledger(&app.app.payments).await.expect("the check runs");
    assert_eq!((report.payers, report.payments, report.faults.as_slice()), (1, 1, [].as_slice()));
    let (is_well, said) = ledger_check(&app).await;
    assert!(is_well && said.contains("agree."), "{said}");

    // A charge that no provider knows, and an entitlement that follows from nothing.
    let member = UserId::from_store(ada.id());
    let invented = app.app.db.write_now::<_, StoreError>(|pg| {
        let payer = pg.payer_of_member(member, START)?;
        let charge = Movement {
            plan_id: "yearly".to_owned(),
            plan_name: "Yearly".to_owned(),
            amount: Money::from_cents(5_999),
            period: Some(Period { starts_at: START, ends_at: None }),
            ..Movement::new(MovementKind::Charged, "sandbox:py_none:charged", &PurchaseKey::new("invented"), START)
        };
        pg.record_movement(payer, &charge).map_err(StoreError::new)
    });
    assert!(invented.expect("the movement is recorded"));
    app.sql("DELETE FROM entitlements");
    let (is_well, said) = ledger_check(&app).await;
    assert!(!is_well, "{said}");
    for fault in
        ["the stored entitlements do not match the ledger", "sandbox:py_none:charged: the provider does not know"]
    {
        assert!(said.contains(fault), "{fault} in {said}");
    }
}

//! Devices: listing them and signing them out.

use kernel::{FixedEnv, HOUR, SessionId, UserId};

use super::{Case, KEY, NOW, begin, env, is_live, refresh, register};
use crate::{Device, DeviceDescription, Devices, FactorStore, Identity, NewSession, RefreshToken, SESSION_LIFETIME};

pub(super) const CASES: &[Case] = &[
    devices_are_listed_the_last_seen_first,
    a_refresh_says_what_the_device_is_and_where,
    a_device_is_signed_out_by_its_owner_only,
    all_devices_but_one_are_signed_out,
];

fn begin_on(store: &mut dyn FactorStore, user: UserId, device: &str, env: &FixedEnv) -> (SessionId, RefreshToken) {
    store.begin_session(NewSession { user, device, place: "Austria", strong: device == "Strong" }, env).unwrap()
}

fn devices_are_listed_the_last_seen_first(store: &mut dyn FactorStore) {
    let (user, other) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    assert_eq!(store.devices_of(user.id, NOW).unwrap(), []);
    let env = env();
    let (first, _) = begin_on(store, user.id, "Firefox on Linux", &env);
    let (second, secret) = begin_on(store, user.id, "Strong", &env);
    let (ended, _) = begin_on(store, user.id, "Ended", &env);
    begin_on(store, other.id, "Another one's", &env);
    env.advance(HOUR);
    let (third, _) = begin_on(store, user.id, "Chrome on Android", &env);
    store.end_session(ended, NOW).unwrap();
    refresh(store, &secret, NOW.plus(2 * HOUR)).unwrap();

    let now = NOW.plus(2 * HOUR);
    let listed = store.devices_of(user.id, now).unwrap();
    assert_eq!(listed.iter().map(|device| device.session.id).collect::<Vec<_>>(), [second, third, first]);
    let Device { session, device, place } = &listed[1];
    assert_eq!((device.as_str(), place.as_str()), ("Chrome on Android", "Austria"));
    assert_eq!((session.created_at, session.last_seen_at, session.strong), (NOW.plus(HOUR), NOW.plus(HOUR), false));
    assert_eq!((listed[0].session.created_at, listed[0].session.last_seen_at), (NOW, now));
    assert!(listed[0].session.strong);
    let kept = store.sessions_of(user.id).unwrap();
    assert_eq!(kept.iter().map(|device| device.session.id).collect::<Vec<_>>(), [second, third, ended, first]);
    assert_eq!(kept[2].session.revoked_at, Some(NOW));
    // An expired session is not listed.
    let later = store.devices_of(user.id, NOW.plus(SESSION_LIFETIME)).unwrap();
    assert_eq!(later.iter().map(|device| device.session.id).collect::<Vec<_>>(), [second, third]);
}

fn a_refresh_says_what_the_device_is_and_where(store: &mut dyn FactorStore) {
    let user = register(store, "ada@example.com");
    let (session, first) = begin_on(store, user.id, "Firefox on Linux", &env());
    let shown = |store: &mut dyn FactorStore| {
        let device = store.devices_of(user.id, NOW).unwrap().remove(0);
        assert_eq!(device.session.id, session);
        (device.device, device.place)
    };
    let moved = DeviceDescription { device: "Firefox on Windows", place: "Japan" };
    let second = store.refresh_session(&first, &KEY, moved, NOW).unwrap().unwrap().secret;
    assert_eq!(shown(store), ("Firefox on Windows".to_owned(), "Japan".to_owned()));
    // A late request with a replaced token (a second tab, a thief) does not change the device's description.
    let other = DeviceDescription { device: "curl", place: "Nowhere" };
    assert!(store.refresh_session(&first, &KEY, other, NOW).unwrap().is_some());
    assert_eq!(shown(store), ("Firefox on Windows".to_owned(), "Japan".to_owned()));
    assert!(store.refresh_session(&second, &KEY, moved, NOW).unwrap().is_some());
}

fn a_device_is_signed_out_by_its_owner_only(store: &mut dyn FactorStore) {
    let (user, other) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    let (session, _) = begin(store, user.id, &env());
    assert!(!store.end_device(other.id, session, NOW).unwrap());
    assert!(is_live(store, session, NOW));
    assert!(store.end_device(user.id, session, NOW).unwrap());
    assert!(!is_live(store, session, NOW));
    assert!(store.end_device(user.id, session, NOW).unwrap());
    assert!(!store.end_device(user.id, SessionId::from_store(i64::MAX), NOW).unwrap());
}

fn all_devices_but_one_are_signed_out(store: &mut dyn FactorStore) {
    let (user, other) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    let env = env();
    let [kept, gone, gone_too] = [(); 3].map(|()| begin(store, user.id, &env).0);
    let (others, _) = begin(store, other.id, &env);
    store.end_other_sessions(user.id, kept, NOW).unwrap();
    assert!(is_live(store, kept, NOW) && is_live(store, others, NOW));
    assert!(!is_live(store, gone, NOW) && !is_live(store, gone_too, NOW));
    // `kept` saves no session of another user.
    store.end_other_sessions(user.id, others, NOW).unwrap();
    assert!(!is_live(store, kept, NOW) && is_live(store, others, NOW));
}

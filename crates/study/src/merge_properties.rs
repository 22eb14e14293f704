//! What holds of every merge: the properties that each kind of record proves for its states.

/// Tests that states merge to one result in any order and any number of times. The module has `some_reports`, a strategy of reports about
/// one record; it gets `merged`, what they say together.
macro_rules! merge_properties {
    ($state:ty) => {
        fn merged(reports: &[$state]) -> $state {
            let (first, rest) = reports.split_first().expect("one report");
            rest.iter().fold(first.clone(), |state, report| state.merged(report.clone()))
        }

        proptest! {
            #[test]
            fn any_order_and_any_repetition_ends_in_the_same_state(
                (said, arrived) in some_reports().prop_flat_map(|reports| {
                    let twice: Vec<_> = reports.iter().chain(&reports).cloned().collect();
                    (Just(reports), Just(twice).prop_shuffle())
                }),
            ) {
                prop_assert_eq!(merged(&arrived), merged(&said));
            }

            /// What one device stored before it was offline, and what another did meanwhile, merge as if each report had come alone.
            #[test]
            fn merging_merged_states_is_merging_their_reports(said in some_reports(), at in any::<prop::sample::Index>()) {
                let (one, other) = said.split_at(at.index(said.len()));
                prop_assume!(!one.is_empty());
                prop_assert_eq!(merged(one).merged(merged(other)), merged(&said));
                prop_assert_eq!(merged(&said).merged(merged(&said)), merged(&said));
            }
        }
    };
}

pub(crate) use merge_properties;

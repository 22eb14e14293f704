//! The tables for Diesel's query builder. Maintained by hand beside `migrations/`; a test compares the two.
#![allow(unreachable_pub)]

use diesel::{allow_tables_to_appear_in_same_query, joinable, table};

/// SQL types that Diesel does not know.
pub mod sql_types {
    /// Postgres' `tsvector`, a text prepared for search: written by SQL expressions, never read into the server.
    #[derive(diesel::sql_types::SqlType, diesel::query_builder::QueryId)]
    #[diesel(postgres_type(name = "tsvector", schema = "pg_catalog"))]
    pub struct Tsvector;
}

table! {
    users (id) {
        id -> Int8,
        email -> Text,
        email_key -> Text,
        first_name -> Text,
        last_name -> Text,
        timezone -> Text,
        role -> Text,
        password_hash -> Nullable<Text>,
        friend_email -> Nullable<Text>,
        created_at -> Timestamptz,
        email_confirmed_at -> Nullable<Timestamptz>,
        password_session_id -> Nullable<Int8>,
        devices_version -> Int4,
        suspended_at -> Nullable<Timestamptz>,
        suspended_reason -> Nullable<Text>,
    }
}

table! {
    audit_entries (id) {
        id -> Int8,
        at -> Timestamptz,
        actor_kind -> Text,
        actor_id -> Nullable<Int8>,
        actor_name -> Nullable<Text>,
        action -> Text,
        subject_kind -> Text,
        subject_id -> Nullable<Int8>,
        subject_name -> Nullable<Text>,
        changes -> Jsonb,
        address -> Nullable<Text>,
        device -> Nullable<Text>,
    }
}

table! {
    audit_personal_changes (entry_id) {
        entry_id -> Int8,
        user_id -> Int8,
        changes -> Jsonb,
    }
}

table! {
    sessions (id) {
        id -> Int8,
        user_id -> Int8,
        created_at -> Timestamptz,
        last_seen_at -> Timestamptz,
        expires_at -> Timestamptz,
        revoked_at -> Nullable<Timestamptz>,
        device -> Text,
        place -> Text,
        strong -> Bool,
        proved_at -> Nullable<Timestamptz>,
        address_proved_at -> Nullable<Timestamptz>,
        password_typed -> Bool,
    }
}

table! {
    api_tokens (id) {
        id -> Int8,
        user_id -> Int8,
        name -> Text,
        scopes -> Array<Text>,
        hash -> Bytea,
        created_at -> Timestamptz,
        last_used_on -> Nullable<Date>,
        sync_key_hash -> Nullable<Bytea>,
    }
}

table! {
    book_documents (document) {
        document -> Text,
        book_id -> Int8,
        first_page -> Int4,
    }
}

table! {
    synced_places (user_id, document) {
        user_id -> Int8,
        document -> Text,
        progress -> Text,
        percentage -> Float8,
        device -> Text,
        device_id -> Text,
        at -> Timestamptz,
    }
}

table! {
    single_use_secrets (hash) {
        hash -> Bytea,
        purpose -> Text,
        user_id -> Nullable<Int8>,
        data -> Nullable<Text>,
        code_hash -> Nullable<Bytea>,
        code_tries -> Int4,
        binding -> Nullable<Bytea>,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
    }
}

table! {
    provider_identities (provider, subject) {
        provider -> Text,
        subject -> Text,
        user_id -> Int8,
        email -> Nullable<Text>,
        connected_at -> Timestamptz,
        session_id -> Nullable<Int8>,
    }
}

table! {
    job_schedules (kind) {
        kind -> Text,
        due_at -> Timestamptz,
    }
}

table! {
    jobs (id) {
        id -> Int8,
        kind -> Text,
        payload -> Nullable<Bytea>,
        recipient -> Nullable<Text>,
        recipient_key -> Nullable<Bytea>,
        about -> Text,
        retries -> Int4,
        state -> Text,
        attempts -> Int4,
        uncertain -> Int4,
        last_error -> Nullable<Text>,
        created_at -> Timestamptz,
        due_at -> Timestamptz,
        done_at -> Nullable<Timestamptz>,
        trace_context -> Nullable<Text>,
    }
}

table! {
    refresh_secrets (hash) {
        hash -> Bytea,
        session_id -> Int8,
        replaced_at -> Nullable<Timestamptz>,
    }
}

table! {
    root_keys (id) {
        id -> Int4,
        public_key -> Bytea,
        sealed_private_key -> Bytea,
        created_at -> Timestamptz,
        retired_at -> Nullable<Timestamptz>,
    }
}

table! {
    server_keys (purpose) {
        purpose -> Text,
        sealed_key -> Bytea,
        created_at -> Timestamptz,
    }
}

table! {
    totp (user_id) {
        user_id -> Int8,
        sealed_secret -> Bytea,
        begun_at -> Timestamptz,
        confirmed_at -> Nullable<Timestamptz>,
        last_step -> Nullable<Int8>,
        session_id -> Nullable<Int8>,
    }
}

table! {
    recovery_codes (user_id, hash) {
        user_id -> Int8,
        hash -> Bytea,
    }
}

table! {
    passkeys (id) {
        id -> Int8,
        user_id -> Int8,
        name -> Text,
        credential_id -> Bytea,
        user_handle -> Bytea,
        credential -> Text,
        created_at -> Timestamptz,
        last_used_at -> Nullable<Timestamptz>,
        session_id -> Nullable<Int8>,
    }
}

table! {
    rate_limits (key) {
        key -> Text,
        arrival -> Timestamptz,
    }
}

table! {
    authors (id) {
        id -> Int8,
        slug -> Text,
        name -> Text,
        name_key -> Text,
        description -> Text,
        sort_name -> Nullable<Text>,
        book_count -> Int8,
    }
}

table! {
    categories (id) {
        id -> Int8,
        subid -> Text,
        name -> Text,
        hue -> Int2,
        small_image -> Nullable<Text>,
        place -> Int4,
        book_count -> Int8,
    }
}

table! {
    goals (id) {
        id -> Int8,
        slug -> Text,
        title -> Text,
        short_title -> Text,
        mobile_title -> Text,
        description -> Text,
        place -> Int4,
        photo -> Nullable<Text>,
        feature_photo -> Nullable<Text>,
    }
}

table! {
    tags (id) {
        id -> Int8,
        slug -> Text,
        name -> Text,
    }
}

table! {
    use diesel::sql_types::*;
    use super::sql_types::Tsvector;

    books (id) {
        id -> Int8,
        subid -> Text,
        title -> Text,
        title_key -> Text,
        author_id -> Int8,
        description -> Text,
        body -> Text,
        truncated_body -> Text,
        section_titles -> Array<Text>,
        shown -> Text,
        quotes -> Jsonb,
        image -> Nullable<Text>,
        media -> Nullable<Text>,
        video -> Nullable<Text>,
        year -> Nullable<Int4>,
        words -> Int4,
        free -> Bool,
        is_popular -> Bool,
        coming_soon -> Bool,
        published -> Bool,
        upload_date -> Timestamptz,
        updated_at -> Timestamptz,
        search -> Tsvector,
        text_search -> Tsvector,
        visuals -> Int2,
    }
}

table! {
    visuals (id) {
        id -> Int8,
        book_id -> Int8,
        place -> Int2,
        title -> Text,
        body -> Text,
        image -> Nullable<Text>,
        motif -> Nullable<Text>,
        ground -> Nullable<Text>,
    }
}

table! {
    idea_links (id) {
        id -> Int8,
        kind -> Text,
        from_book -> Int8,
        from_idea -> Text,
        to_book -> Int8,
        to_idea -> Text,
        note -> Text,
        state -> Text,
    }
}

table! {
    visual_sets (book_id) {
        book_id -> Int8,
        image -> Text,
        infographic -> Nullable<Text>,
        infographic_thumb -> Nullable<Text>,
        saved_at -> Timestamptz,
    }
}

table! {
    infographic_periods (book_id, shown_from) {
        book_id -> Int8,
        shown_from -> Timestamptz,
        shown_until -> Nullable<Timestamptz>,
    }
}

table! {
    catalogue_totals (sole) {
        sole -> Bool,
        books -> Int8,
        illustrated -> Int8,
    }
}

table! {
    search_words (word) {
        word -> Text,
        stem -> Text,
        in_name -> Bool,
    }
}

table! {
    book_categories (book_id, category_id) {
        book_id -> Int8,
        category_id -> Int8,
        place -> Int4,
    }
}

table! {
    book_goals (book_id, goal_id) {
        book_id -> Int8,
        goal_id -> Int8,
    }
}

table! {
    book_tags (book_id, tag_id) {
        book_id -> Int8,
        tag_id -> Int8,
        upload_date -> Nullable<Timestamptz>,
    }
}

table! {
    use diesel::sql_types::*;
    use super::sql_types::Tsvector;

    book_sections (book_id, place) {
        book_id -> Int8,
        place -> Int4,
        title -> Text,
        text -> Text,
        previewed -> Int4,
        search -> Tsvector,
    }
}

table! {
    collections (id) {
        id -> Int8,
        title -> Text,
        subtitle -> Text,
        image -> Nullable<Text>,
        upload_date -> Timestamptz,
        title_key -> Text,
    }
}

table! {
    collection_categories (collection_id, category_id) {
        collection_id -> Int8,
        category_id -> Int8,
        place -> Int4,
    }
}

table! {
    collection_books (collection_id, book_id) {
        collection_id -> Int8,
        book_id -> Int8,
        place -> Int4,
    }
}

table! {
    book_stats (book_id) {
        book_id -> Int8,
        read_count -> Int8,
        ratings_count -> Int8,
        ratings_sum -> Int8,
        trending -> Float8,
        is_popular -> Bool,
        uploaded_day -> Int4,
        merit -> Float8,
    }
}

table! {
    unanswered_searches (day, words) {
        day -> Date,
        words -> Text,
        count -> Int8,
    }
}

table! {
    book_opens (book_id, day) {
        book_id -> Int8,
        day -> Date,
        opens -> Int8,
    }
}

table! {
    entitlements (id) {
        id -> Int8,
        user_id -> Int8,
        plan_id -> Text,
        plan_name -> Text,
        starts_at -> Timestamptz,
        ends_at -> Nullable<Timestamptz>,
    }
}

table! {
    payers (id) {
        id -> Int8,
        user_id -> Nullable<Int8>,
        is_guest -> Bool,
        email -> Nullable<Text>,
        email_key -> Nullable<Text>,
        created_at -> Timestamptz,
    }
}

table! {
    refund_reasons (movement) {
        movement -> Text,
        reason -> Text,
        note -> Nullable<Text>,
        given_at -> Timestamptz,
    }
}

table! {
    provider_customers (payer_id, provider) {
        payer_id -> Int8,
        provider -> Text,
        customer -> Text,
    }
}

table! {
    pause_offers (user_id) {
        user_id -> Int8,
        offered_at -> Timestamptz,
    }
}

table! {
    payer_cards (payer_id, card) {
        payer_id -> Int8,
        card -> Text,
    }
}

table! {
    ledger_transactions (id) {
        id -> Int8,
        payer_id -> Int8,
        key -> Text,
        kind -> Text,
        purchase -> Text,
        plan_id -> Text,
        plan_name -> Text,
        amount_cents -> Int8,
        fee_cents -> Int8,
        starts_at -> Nullable<Timestamptz>,
        ends_at -> Nullable<Timestamptz>,
        reference -> Nullable<Text>,
        months -> Nullable<Int4>,
        renewal_cents -> Nullable<Int8>,
        renewal_months -> Nullable<Int4>,
        next_charge_cents -> Nullable<Int8>,
        infographics -> Int4,
        occurred_at -> Timestamptz,
        recorded_at -> Timestamptz,
    }
}

table! {
    ledger_entries (transaction_id, account) {
        transaction_id -> Int8,
        account -> Text,
        amount_cents -> Int8,
    }
}

table! {
    subscriptions (purchase) {
        purchase -> Text,
        payer_id -> Int8,
        plan_id -> Text,
        due_at -> Nullable<Timestamptz>,
        next_charge_cents -> Int8,
        over_at -> Timestamptz,
    }
}

table! {
    coupons (code) {
        code -> Text,
        percent -> Nullable<Int4>,
        starts_at -> Timestamptz,
        ends_at -> Nullable<Timestamptz>,
        max_uses -> Nullable<Int4>,
        amount_cents -> Nullable<Int8>,
        every_charge -> Bool,
        plan_ids -> Array<Text>,
        campaign -> Nullable<Text>,
    }
}

table! {
    coupon_uses (code, purchase) {
        code -> Text,
        purchase -> Text,
    }
}

table! {
    trials (purchase) {
        purchase -> Text,
        user_id -> Nullable<Int8>,
        mailbox -> Nullable<Text>,
        card -> Nullable<Text>,
        started_at -> Timestamptz,
    }
}

table! {
    checkouts (reference) {
        reference -> Text,
        key -> Text,
        body_hash -> Bytea,
        payer_id -> Int8,
        provider -> Text,
        plan_id -> Text,
        plan_name -> Text,
        quantity -> Int4,
        infographics -> Int4,
        coupon -> Nullable<Text>,
        first_charge_cents -> Int8,
        trial_ends_at -> Nullable<Timestamptz>,
        renewal_cents -> Nullable<Int8>,
        renewal_months -> Nullable<Int4>,
        referral -> Nullable<Text>,
        sealed_details -> Nullable<Bytea>,
        state -> Text,
        provider_id -> Nullable<Text>,
        charge_id -> Text,
        claimed_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        changed_at -> Timestamptz,
    }
}

table! {
    provider_events (id) {
        id -> Int8,
        provider -> Text,
        event_id -> Text,
        kind -> Text,
        object -> Text,
        checkout -> Nullable<Text>,
        occurred_at -> Timestamptz,
        received_at -> Timestamptz,
        applied_at -> Nullable<Timestamptz>,
    }
}

table! {
    codes (id) {
        id -> Int8,
        code -> Text,
        kind -> Text,
        plan_id -> Text,
        plan_name -> Text,
        months -> Nullable<Int4>,
        purchase -> Nullable<Text>,
        buyer -> Nullable<Int8>,
        created_at -> Timestamptz,
        redeemed_by -> Nullable<Int8>,
        redeemed_at -> Nullable<Timestamptz>,
        revoked_at -> Nullable<Timestamptz>,
        sent_to -> Nullable<Text>,
        suspended_at -> Nullable<Timestamptz>,
    }
}

table! {
    gifts (code_id) {
        code_id -> Int8,
        sender_name -> Text,
        recipient_name -> Text,
        recipient_email -> Nullable<Text>,
        message -> Text,
        deliver_at -> Timestamptz,
        delivered_at -> Nullable<Timestamptz>,
    }
}

table! {
    referral_links (id) {
        id -> Text,
        user_id -> Int8,
        kind -> Text,
        clicks -> Int8,
        created_at -> Timestamptz,
    }
}

table! {
    referral_rewards (purchase) {
        purchase -> Text,
        user_id -> Int8,
        kind -> Text,
        buyer_id -> Nullable<Int8>,
        buyer_mailbox -> Nullable<Text>,
        amount_cents -> Int8,
        earned_at -> Timestamptz,
        is_denied -> Bool,
    }
}

table! {
    referred_members (user_id) {
        user_id -> Int8,
        link -> Text,
        noted_at -> Timestamptz,
    }
}

table! {
    referral_payouts (id) {
        id -> Int8,
        user_id -> Int8,
        amount_cents -> Int8,
        paid_at -> Timestamptz,
    }
}

table! {
    opened_books (user_id, book_id) {
        user_id -> Int8,
        book_id -> Int8,
        granted_by -> Text,
        opened_at -> Timestamptz,
    }
}

table! {
    history (user_id, book_id) {
        user_id -> Int8,
        book_id -> Int8,
        position -> Int4,
        completed_at -> Nullable<Timestamptz>,
        updated_at -> Timestamptz,
        place_at -> Nullable<Timestamptz>,
        place_device -> Nullable<Text>,
        furthest -> Int4,
        audio_ms -> Nullable<Int8>,
        audio_at -> Nullable<Timestamptz>,
        hidden_at -> Nullable<Timestamptz>,
        paragraph -> Nullable<Int4>,
    }
}

table! {
    completions (user_id, day, book_id) {
        user_id -> Int8,
        day -> Date,
        book_id -> Int8,
    }
}

table! {
    reading_days (user_id, day) {
        user_id -> Int8,
        day -> Date,
        completions -> Int4,
    }
}

table! {
    reading_goals (user_id) {
        user_id -> Int8,
        unit -> Nullable<Text>,
        amount -> Nullable<Int2>,
        counts_time -> Bool,
    }
}

table! {
    reading_time (user_id, day, device) {
        user_id -> Int8,
        day -> Date,
        device -> Text,
        seconds -> Int4,
    }
}

table! {
    library (user_id, book_id) {
        user_id -> Int8,
        book_id -> Int8,
        added_at -> Timestamptz,
    }
}

table! {
    publication_notices (user_id, book_id) {
        user_id -> Int8,
        book_id -> Int8,
        requested_at -> Timestamptz,
    }
}

table! {
    ratings (user_id, book_id) {
        user_id -> Int8,
        book_id -> Int8,
        rating -> Int2,
        feedback -> Text,
        created_at -> Timestamptz,
        updated_at -> Timestamptz,
        counts -> Bool,
    }
}

table! {
    recommends (user_id, category_id) {
        user_id -> Int8,
        category_id -> Int8,
    }
}

table! {
    site_content (name) {
        name -> Text,
        value -> Jsonb,
    }
}

table! {
    events (id) {
        id -> Int8,
        name -> Text,
        user_id -> Nullable<Int8>,
        at -> Timestamptz,
    }
}

table! {
    messages (id) {
        id -> Int8,
        kind -> Text,
        name -> Nullable<Text>,
        email -> Nullable<Text>,
        email_key -> Nullable<Text>,
        body -> Text,
        created_at -> Timestamptz,
        done_at -> Nullable<Timestamptz>,
    }
}

table! {
    message_answers (id) {
        id -> Int8,
        message_id -> Int8,
        body -> Text,
        answered_by -> Nullable<Int8>,
        answered_at -> Timestamptz,
    }
}

table! {
    kindle_addresses (user_id) {
        user_id -> Int8,
        email -> Text,
        set_at -> Timestamptz,
    }
}

table! {
    deliveries (id) {
        id -> Int8,
        user_id -> Int8,
        book_id -> Nullable<Int8>,
        job_id -> Nullable<Int8>,
        state -> Text,
        why -> Nullable<Text>,
        asked_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        summary_id -> Nullable<Int8>,
    }
}

table! {
    member_summaries (id) {
        id -> Int8,
        user_id -> Int8,
        request_key -> Nullable<Text>,
        title -> Text,
        source_kind -> Text,
        source_name -> Text,
        source_url -> Nullable<Text>,
        state -> Text,
        document -> Nullable<Bytea>,
        engine -> Nullable<Text>,
        fell_back -> Bool,
        language -> Nullable<Text>,
        language_name -> Nullable<Text>,
        words -> Nullable<Int4>,
        idea_count -> Nullable<Int4>,
        source_text -> Nullable<Text>,
        headings -> Nullable<Jsonb>,
        ideas -> Nullable<Jsonb>,
        search_title -> Text,
        search_source -> Text,
        search_ideas -> Text,
        failure_code -> Nullable<Text>,
        failure_text -> Nullable<Text>,
        created_at -> Timestamptz,
        done_at -> Nullable<Timestamptz>,
    }
}

table! {
    invitations (user_id, friend_key) {
        user_id -> Int8,
        friend_key -> Text,
        friend_email -> Text,
        invited_at -> Timestamptz,
    }
}

table! {
    narrations (book_id) {
        book_id -> Int8,
        media -> Text,
        duration_ms -> Int8,
        marks -> Jsonb,
        text_hash -> Text,
        voice -> Text,
        made_at -> Timestamptz,
    }
}

table! {
    films (book_id) {
        book_id -> Int8,
        media -> Text,
        poster -> Text,
        captions -> Text,
        duration_ms -> Int8,
        text_hash -> Text,
        made_at -> Timestamptz,
    }
}

table! {
    posts (id) {
        id -> Int8,
        slug -> Text,
        title -> Text,
        description -> Text,
        text -> Text,
        words -> Int4,
        categories -> Array<Text>,
        category_slugs -> Array<Text>,
        author -> Text,
        book -> Nullable<Text>,
        photo -> Nullable<Text>,
        published_at -> Timestamptz,
        updated_at -> Timestamptz,
        published -> Bool,
        publish_at -> Nullable<Timestamptz>,
    }
}

table! {
    podcasts (id) {
        id -> Int8,
        slug -> Text,
        title -> Text,
        author -> Text,
        author_desc -> Text,
        description -> Text,
        script -> Text,
        words -> Int4,
        image -> Nullable<Text>,
        published_at -> Timestamptz,
        updated_at -> Timestamptz,
        media -> Nullable<Text>,
        media_ms -> Nullable<Int8>,
        media_bytes -> Nullable<Int8>,
        media_text_hash -> Nullable<Text>,
        stated_minutes -> Nullable<Int4>,
        published -> Bool,
        publish_at -> Nullable<Timestamptz>,
    }
}

table! {
    insights (id) {
        id -> Int8,
        title -> Text,
        insight -> Text,
        book -> Nullable<Text>,
        quoted -> Bool,
        created_at -> Timestamptz,
    }
}

table! {
    site_pages (slug) {
        slug -> Text,
        title -> Text,
        description -> Text,
        text -> Text,
        revised_at -> Timestamptz,
    }
}

table! {
    plans (id) {
        id -> Text,
        name -> Text,
        kind -> Text,
        price_cents -> Int8,
        place -> Int4,
        version -> Int8,
        archived -> Bool,
    }
}

table! {
    chosen_goals (user_id, goal_id) {
        user_id -> Int8,
        goal_id -> Int8,
        place -> Int2,
    }
}

table! {
    ten_day_plans (user_id) {
        user_id -> Int8,
        goals -> Array<Int8>,
        saved_at -> Timestamptz,
    }
}

table! {
    ten_day_books (user_id, day) {
        user_id -> Int8,
        day -> Int2,
        book_id -> Int8,
    }
}

table! {
    daily_mails (user_id) {
        user_id -> Int8,
        hour -> Nullable<Int2>,
        requested_at -> Timestamptz,
        last_sent_on -> Nullable<Date>,
        due_at -> Nullable<Timestamptz>,
    }
}

table! {
    quiz_questions (id) {
        id -> Int8,
        dimension -> Text,
        statement -> Text,
        place -> Int4,
    }
}

table! {
    quiz_results (id) {
        id -> Int8,
        user_id -> Int8,
        kind -> Text,
        dimensions -> Array<Text>,
        counts -> Array<Int2>,
        questions -> Array<Int2>,
        taken_at -> Timestamptz,
    }
}

table! {
    study_members (user_id) {
        user_id -> Int8,
        version -> Int8,
    }
}

table! {
    highlights (user_id, id) {
        user_id -> Int8,
        id -> Int8,
        book_id -> Nullable<Int8>,
        summary_id -> Nullable<Int8>,
        source_title -> Text,
        source_author -> Text,
        part -> Text,
        section -> Nullable<Int4>,
        start_at -> Int4,
        end_at -> Int4,
        exact -> Text,
        prefix -> Text,
        suffix -> Text,
        place_section -> Nullable<Int4>,
        place_start -> Nullable<Int4>,
        place_end -> Nullable<Int4>,
        place_text -> Nullable<Text>,
        color -> Text,
        color_at -> Timestamptz,
        note -> Text,
        note_at -> Timestamptz,
        created_at -> Timestamptz,
        edited_at -> Timestamptz,
        deleted_at -> Nullable<Timestamptz>,
        is_shown -> Bool,
        version -> Int8,
    }
}

table! {
    highlight_tags (user_id, highlight_id, tag_key) {
        user_id -> Int8,
        highlight_id -> Int8,
        tag_key -> Text,
        tag -> Text,
        is_on -> Bool,
        at -> Timestamptz,
    }
}

table! {
    highlighted_books (user_id, book_id) {
        user_id -> Int8,
        book_id -> Int8,
        highlights -> Int4,
        version -> Int8,
    }
}

table! {
    checked_books (book_id) {
        book_id -> Int8,
        book_updated_at -> Timestamptz,
        is_to_count -> Bool,
    }
}

table! {
    popular_passages (book_id, section, start_at) {
        book_id -> Int8,
        section -> Int4,
        start_at -> Int4,
        end_at -> Int4,
        members -> Int4,
    }
}

table! {
    study_settings (user_id) {
        user_id -> Int8,
        has_highlights -> Bool,
        counts_in_popular -> Bool,
        shows_popular -> Bool,
        daily_max -> Int2,
        counts_for_streak -> Bool,
        reminder -> Text,
        digest -> Text,
        notice_hour -> Int2,
        asks_commitments -> Bool,
    }
}

table! {
    study_notices (user_id, kind) {
        user_id -> Int8,
        kind -> Text,
        due_at -> Nullable<Timestamptz>,
        last_on -> Nullable<Date>,
        last_highlight -> Nullable<Int8>,
    }
}

table! {
    study_webhooks (user_id) {
        user_id -> Int8,
        url -> Text,
        salt -> Bytea,
        created_at -> Timestamptz,
        is_on -> Bool,
        last_at -> Nullable<Timestamptz>,
        last_status -> Nullable<Int2>,
        last_error -> Text,
    }
}

table! {
    push_subscriptions (id) {
        id -> Int8,
        session_id -> Int8,
        endpoint -> Text,
        p256dh -> Bytea,
        auth -> Bytea,
        created_at -> Timestamptz,
    }
}

table! {
    review_cards (user_id, id) {
        user_id -> Int8,
        id -> Int8,
        kind -> Text,
        book_id -> Nullable<Int8>,
        summary_id -> Nullable<Int8>,
        highlight_id -> Nullable<Int8>,
        source_title -> Text,
        source_author -> Text,
        section -> Nullable<Int4>,
        idea_title -> Text,
        idea_opening -> Text,
        found_section -> Nullable<Int4>,
        found_title -> Nullable<Text>,
        found_answer -> Nullable<Text>,
        question -> Text,
        answer -> Text,
        blanks -> Array<Int4>,
        content_at -> Timestamptz,
        is_paused -> Bool,
        paused_at -> Timestamptz,
        created_at -> Timestamptz,
        edited_at -> Timestamptz,
        deleted_at -> Nullable<Timestamptz>,
        is_shown -> Bool,
        first_day -> Date,
        due_day -> Date,
        last_day -> Nullable<Date>,
        stability -> Nullable<Float4>,
        difficulty -> Nullable<Float4>,
        answers -> Int4,
        lapses -> Int4,
        version -> Int8,
    }
}

table! {
    card_answers (user_id, id) {
        user_id -> Int8,
        id -> Int8,
        card_id -> Int8,
        rating -> Int2,
        at -> Timestamptz,
        day -> Date,
    }
}

table! {
    completed_ideas (user_id, book_id, idea) {
        user_id -> Int8,
        book_id -> Int8,
        idea -> Text,
        at -> Timestamptz,
    }
}

table! {
    commitments (user_id, id) {
        user_id -> Int8,
        id -> Int8,
        book_id -> Nullable<Int8>,
        book_title -> Text,
        book_author -> Text,
        text -> Text,
        text_at -> Timestamptz,
        outcome -> Text,
        outcome_at -> Timestamptz,
        answered_day -> Nullable<Int2>,
        created_at -> Timestamptz,
        edited_at -> Timestamptz,
        deleted_at -> Nullable<Timestamptz>,
        is_shown -> Bool,
        first_day -> Date,
        version -> Int8,
    }
}

table! {
    lists (user_id, id) {
        user_id -> Int8,
        id -> Int8,
        name -> Text,
        name_at -> Timestamptz,
        note -> Text,
        note_at -> Timestamptz,
        created_at -> Timestamptz,
        edited_at -> Timestamptz,
        deleted_at -> Nullable<Timestamptz>,
        is_shown -> Bool,
        sharing -> Text,
        slug -> Nullable<Text>,
        shared_at -> Nullable<Timestamptz>,
        is_taken_down -> Bool,
        version -> Int8,
    }
}

table! {
    list_books (user_id, list_id, book_id) {
        user_id -> Int8,
        list_id -> Int8,
        book_id -> Int8,
        rank -> Nullable<Text>,
        at -> Timestamptz,
    }
}

table! {
    account_imports (user_id) {
        user_id -> Int8,
        state -> Text,
        archive -> Nullable<Bytea>,
        is_retry -> Bool,
        requested_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        failure -> Nullable<Text>,
        figures -> Jsonb,
    }
}

table! {
    kept_import_entries (user_id, kind, key) {
        user_id -> Int8,
        kind -> Text,
        key -> Text,
        subid -> Nullable<Text>,
        title -> Text,
        author -> Text,
        entry -> Text,
    }
}

table! {
    list_followers (user_id, owner_id, list_id) {
        user_id -> Int8,
        owner_id -> Int8,
        list_id -> Int8,
        at -> Timestamptz,
    }
}

table! {
    team_lists (id) {
        id -> Int8,
        user_id -> Int8,
        list_id -> Int8,
    }
}

table! {
    team_list_agreements (team_list_id, user_id) {
        team_list_id -> Int8,
        user_id -> Int8,
        at -> Timestamptz,
    }
}

joinable!(sessions -> users (user_id));
joinable!(refresh_secrets -> sessions (session_id));
joinable!(books -> authors (author_id));
joinable!(checked_books -> books (book_id));
joinable!(book_categories -> books (book_id));
joinable!(book_categories -> categories (category_id));
joinable!(book_goals -> books (book_id));
joinable!(book_goals -> goals (goal_id));
joinable!(book_tags -> books (book_id));
joinable!(book_tags -> tags (tag_id));
joinable!(book_sections -> books (book_id));
joinable!(book_stats -> books (book_id));
joinable!(collection_categories -> categories (category_id));
joinable!(visuals -> books (book_id));
joinable!(visual_sets -> books (book_id));
joinable!(opened_books -> books (book_id));
joinable!(history -> books (book_id));
joinable!(library -> books (book_id));
joinable!(publication_notices -> books (book_id));
joinable!(ratings -> books (book_id));
joinable!(recommends -> categories (category_id));
joinable!(invitations -> users (user_id));
joinable!(ledger_transactions -> payers (payer_id));
joinable!(payer_cards -> payers (payer_id));

allow_tables_to_appear_in_same_query!(
    users,
    sessions,
    refresh_secrets,
    provider_identities,
    authors,
    categories,
    goals,
    tags,
    books,
    book_categories,
    book_goals,
    book_tags,
    book_sections,
    book_stats,
    book_opens,
    unanswered_searches,
    collections,
    collection_categories,
    entitlements,
    opened_books,
    history,
    reading_days,
    reading_goals,
    reading_time,
    completions,
    library,
    publication_notices,
    ratings,
    recommends,
    invitations,
    messages,
    message_answers,
    member_summaries,
    visuals,
    idea_links,
    visual_sets,
    payers,
    payer_cards,
    coupons,
    coupon_uses,
    codes,
    gifts,
    ledger_transactions,
    ledger_entries,
    subscriptions,
    highlights,
    study_settings,
    checked_books,
    push_subscriptions,
    lists,
    list_books,
    list_followers,
    team_lists,
);

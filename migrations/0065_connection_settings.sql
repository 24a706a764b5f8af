-- +goose Up
-- The settings of a connection belong to the adapter of its marketplace. The four columns of eBay's settings stay for
-- processes of the version before, which read and write them while they are replaced: the trigger keeps both forms
-- equal. A later migration removes the trigger and the columns.
ALTER TABLE marketplace_connections ADD COLUMN settings jsonb NOT NULL DEFAULT '{}';

UPDATE marketplace_connections SET settings = jsonb_strip_nulls(jsonb_build_object(
    'location', nullif(location_key, ''), 'fulfillment_policy_id', nullif(fulfillment_policy_id, ''),
    'payment_policy_id', nullif(payment_policy_id, ''), 'return_policy_id', nullif(return_policy_id, '')));

-- +goose StatementBegin
CREATE FUNCTION marketplace_connection_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.settings IS DISTINCT FROM OLD.settings THEN
        NEW.location_key := coalesce(NEW.settings ->> 'location', '');
        NEW.fulfillment_policy_id := coalesce(NEW.settings ->> 'fulfillment_policy_id', '');
        NEW.payment_policy_id := coalesce(NEW.settings ->> 'payment_policy_id', '');
        NEW.return_policy_id := coalesce(NEW.settings ->> 'return_policy_id', '');
    ELSIF (NEW.location_key, NEW.fulfillment_policy_id, NEW.payment_policy_id, NEW.return_policy_id)
            IS DISTINCT FROM (OLD.location_key, OLD.fulfillment_policy_id, OLD.payment_policy_id, OLD.return_policy_id) THEN
        NEW.settings := jsonb_strip_nulls(jsonb_build_object(
            'location', nullif(NEW.location_key, ''), 'fulfillment_policy_id', nullif(NEW.fulfillment_policy_id, ''),
            'payment_policy_id', nullif(NEW.payment_policy_id, ''), 'return_policy_id', nullif(NEW.return_policy_id, '')));
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

CREATE TRIGGER marketplace_connection_settings BEFORE UPDATE ON marketplace_connections
    FOR EACH ROW WHEN (NEW.marketplace = 'ebay') EXECUTE FUNCTION marketplace_connection_settings();

-- +goose Down
DROP TRIGGER marketplace_connection_settings ON marketplace_connections;
DROP FUNCTION marketplace_connection_settings();
ALTER TABLE marketplace_connections DROP COLUMN settings;

-- +goose NO TRANSACTION
-- +goose Up
-- Renames the provider "reading" to "ocr". No index contains the column, so the migration reads the cards of each
-- account in the order of their keys, in batches of 5,000. It commits after each batch, so a writer waits for at most
-- one batch. After a failure, a repeated migration updates only the remaining cards.
-- +goose StatementBegin
DO $$
DECLARE
    account text;
    after   text;
    upto    text;
BEGIN
    FOR account IN SELECT id FROM accounts ORDER BY id LOOP
        after := '';
        LOOP
            SELECT max(id) INTO upto FROM (
                SELECT id FROM cards WHERE account_id = account AND id > after ORDER BY id LIMIT 5000
            ) AS step;
            EXIT WHEN upto IS NULL;
            UPDATE cards SET provider = 'ocr'
            WHERE account_id = account AND id > after AND id <= upto AND provider = 'reading';
            COMMIT;
            after := upto;
        END LOOP;
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
UPDATE cards SET provider = 'reading' WHERE provider = 'ocr';

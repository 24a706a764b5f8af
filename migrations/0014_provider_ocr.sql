-- +goose NO TRANSACTION
-- +goose Up
-- The provider "reading" is called "ocr" now. No index covers the column, so each account's cards are read in the order
-- of their key, 5,000 at a time, and each step commits: a writer waits for one step at most. A step that is repeated
-- after a failure finds only what is left.
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

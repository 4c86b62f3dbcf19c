import type { TableRights } from '../kit/database/roles.ts'

/** What the role that serves may not do with which table or sequence (decision 043); the rest it may read and write. */
export const TABLE_RIGHTS: TableRights = {
  tables: [
    ['audit_entry', 'update, delete'],
    ['former_carrier', 'update, delete'],
    ['installation_id', 'insert, update, delete'],
    ['carrier_iban_author', 'update, delete'],
    ['invoice_artifact', 'update, delete'],
    ['invoice_counter', 'delete'],
    ['invoice_logo', 'update, delete'],
    ['invoice_paper', 'delete'],
    ['invoice_run', 'delete'],
    ['invoice_run_item', 'delete'],
    ['invoice_seal', 'insert, update, delete'],
    ['bank_entry', 'delete'],
    ['customer_account', 'delete'],
    ['payment', 'update, delete'],
    ['payment_share', 'update, delete'],
    ['receivable', 'delete'],
    ['payment_file', 'delete'],
    ['payment_file_content', 'update, delete'],
    ['payment_file_counter', 'delete'],
    ['payment_file_item', 'delete'],
    ['payment_file_payment', 'delete'],
    ['credit_lift', 'delete'],
    ['reminder', 'update, delete'],
    ['reminder_item', 'update, delete'],
    ['upload_link', 'delete'],
    ['ksef_reserved_number', 'update, delete'],
    ['ksef_submission', 'delete'],
    ['nbp_rate', 'delete'],
    ['kysely_migration', 'insert, update, delete'],
    ['kysely_migration_lock', 'insert, update, delete'],
  ],
  // Order numbers are set forth in bulk by the demo; these are given one by one.
  onwardSequences: ['invoice_inner_number'],
}

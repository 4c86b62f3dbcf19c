import * as api from '@waybill/contract/reminder/reminder'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { dueReminders } from './due-reminders.ts'
import { invoiceReminders } from './reminder.query.ts'

/** Preview and sending are bound by who words mails and draws letters. */
export function bindReminderRoutes(host: Host): void {
  bindEndpoint(host, api.listDueReminders, (ctx, { query }) => dueReminders(ctx, query.q))
  bindEndpoint(host, api.listInvoiceReminders, (ctx, { params }) => invoiceReminders(ctx, params.id))
}

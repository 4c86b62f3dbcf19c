import { makeBackupJob } from '../backup/backup.job.ts'
import type { JobDefinitions } from '../kit/context/jobs.ts'
import { sweepAnswers } from '../kit/http/idempotency.ts'
import { checkAudit, sealAudit } from '../modules/audit-entry/index.ts'
import { sweepFiles } from '../modules/document/index.ts'
import { findDueEmails, renderEmails, sendHeldReminders } from '../modules/correspondence/index.ts'
import { deliverEmail, wakeEmails } from '../modules/email/index.ts'
import { keepEmissions } from '../modules/emission/index.ts'
import { sweepChanges } from '../modules/event/index.ts'
import { fetchIntakeMails } from '../modules/intake/index.ts'
import {
  drawPodsJob,
  fetchNbpRates,
  makePaperJob,
  sendInvoiceRun,
  submitKsefJob,
  wakeInvoiceRuns,
  wakeKsef,
  wakePapers,
} from '../modules/invoice/index.ts'
import { askForPapers } from '../modules/paper-link/index.ts'
import { findRecurringOrders, makeRecurringOrders } from '../modules/recurring-order/index.ts'
import { deletePapers, makeAnonymous } from '../modules/retention/index.ts'
import { fillGazetteer } from '../modules/place/index.ts'
import { foldFigures } from '../modules/report/index.ts'
import { sweepUploads } from '../modules/upload-link/index.ts'
import { recoverPassword, sweepAccess } from '../modules/session/index.ts'
import { deliverWebhooks, sweepWebhooks, wakeWebhooks } from '../modules/webhook/index.ts'

/** Every job of the application, by name. */
export const jobDefinitions: JobDefinitions = {
  deliver_email: deliverEmail,
  wake_emails: wakeEmails,
  render_emails: renderEmails,
  find_due_emails: findDueEmails,
  send_held_reminders: sendHeldReminders,
  draw_pods: drawPodsJob,
  make_paper: makePaperJob,
  wake_papers: wakePapers,
  send_invoice_run: sendInvoiceRun,
  wake_invoice_runs: wakeInvoiceRuns,
  submit_ksef: submitKsefJob,
  wake_ksef: wakeKsef,
  fetch_nbp_rates: fetchNbpRates,
  sweep_files: sweepFiles,
  sweep_uploads: sweepUploads,
  ask_for_papers: askForPapers,
  seal_audit: sealAudit,
  check_audit: checkAudit,
  make_backup: makeBackupJob,
  make_anonymous: makeAnonymous,
  delete_papers: deletePapers,
  recover_password: recoverPassword,
  sweep_access: sweepAccess,
  sweep_answers: sweepAnswers,
  sweep_changes: sweepChanges,
  deliver_webhooks: deliverWebhooks,
  wake_webhooks: wakeWebhooks,
  sweep_webhooks: sweepWebhooks,
  fold_figures: foldFigures,
  fill_gazetteer: fillGazetteer,
  keep_emissions: keepEmissions,
  fetch_intake_mails: fetchIntakeMails,
  find_recurring_orders: findRecurringOrders,
  make_recurring_orders: makeRecurringOrders,
}

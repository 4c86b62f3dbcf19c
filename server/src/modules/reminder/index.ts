export { reminderOf, wantedReminder, type Reminder } from './due-reminders.ts'
/** For who fills an installation with what was sent before. */
export { lateInvoices } from './reminder.query.ts'
export { sendHeldReminder, sendReminder, type ReminderFile } from './send-reminder.ts'

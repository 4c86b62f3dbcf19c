import type { Readable } from 'node:stream'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import type { JobDefinition } from '../../../kit/context/jobs.ts'
import { MailboxError, type Handled, type Mailbox } from '../../../kit/mail/mailbox.ts'
import { takeFromMailbox } from '../bring-in.ts'
import { noteVisit } from './mailbox-state.repository.ts'

declare module '../../../kit/context/jobs.ts' {
  interface JobData {
    fetch_intake_mails: { isStart?: true }
  }
}

declare module '../../../kit/context/context.ts' {
  interface Ports {
    /** where mails with orders arrive; null: nowhere */
    mailbox: Mailbox | null
  }
}

// The next visit comes within a minute, and a job that lasts is begun again after five.
const LONGEST_MS = 200_000

/** One mail of the mailbox. What cannot be read is put aside, for people to look at; the next ones go on. */
async function handleMail(ctx: Ctx, bytes: Readable): Promise<Handled> {
  try {
    await takeFromMailbox(ctx, bytes)
    return 'taken'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'unavailable') return 'left'
    ctx.log.warn({ code: error.code, fields: error.details.fields }, 'a mail of the mailbox was refused')
    return 'refused'
  }
}

/** Fetches the mails of the mailbox. Each comes in once, whatever ends a visit, and nothing is deleted. */
export const fetchIntakeMails: JobDefinition<'fetch_intake_mails'> = {
  async handle(ctx) {
    const { mailbox } = ctx.ports
    if (mailbox === null) return
    const end = Date.now() + LONGEST_MS
    const faults: unknown[] = []
    // A fault of ours at one mail leaves it where it is, and does not hold up the next ones.
    const handle = (bytes: Readable): Promise<Handled> =>
      handleMail(ctx, bytes).catch((error: unknown) => {
        faults.push(error)
        return 'left'
      })
    try {
      const seen = await mailbox.visit(handle, { mostBytes: MAX_FILE_BYTES, until: () => Date.now() > end })
      await noteVisit(ctx, seen)
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error
      ctx.log.error({ err: error }, 'the mailbox could not be read')
      await noteVisit(ctx, { fault: error.fault })
    }
    if (faults.length > 0) throw faults[0]
  },
  timetable: { cron: '* * * * *', data: {}, atStart: { isStart: true } },
}

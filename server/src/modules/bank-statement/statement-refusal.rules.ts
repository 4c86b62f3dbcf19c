import type { FieldErrorCode } from '@waybill/contract/errors'

/** Why a file is not read as a bank statement. */
export type StatementRefusal = Extract<FieldErrorCode, `statement_${string}`>

/** A file that is refused; it crosses the border between two processes as its code. */
export class RefusedStatement extends Error {
  readonly code: StatementRefusal
  constructor(code: StatementRefusal) {
    super(code)
    this.code = code
  }
}

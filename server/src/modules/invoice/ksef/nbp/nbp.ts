import { z } from 'zod'
import type { NbpRate } from '@waybill/contract/invoice/ksef/rate'

/** NBP's exchange rates, as far as VAT in złoty needs them. */
export interface Nbp {
  /** The euro in table A, of each day on which there is one; null while NBP does not answer. */
  ratesBetween(from: string, to: string): Promise<NbpRate[] | null>
}

declare module '../../../../kit/context/context.ts' {
  interface Ports {
    /** null: NBP is not asked, and people type its rates */
    nbp: Nbp | null
  }
}

// Sending an invoice waits for it.
const LONGEST_WAIT_MS = 5000

const Answer = z.object({
  table: z.literal('A'),
  code: z.literal('EUR'),
  rates: z
    .array(
      z.object({
        no: z.string().regex(/^\d{1,3}\/A\/NBP\/\d{4}$/),
        effectiveDate: z.iso.date(),
        mid: z.number().min(1).max(100),
      }),
    )
    .max(100),
})

/** NBP by its web API (`…/api`), at the one address of the settings; it gives 93 days at once. */
export function createNbp({ url }: { url: string }): Nbp {
  const base = url.replace(/\/+$/, '')
  return {
    async ratesBetween(from, to) {
      try {
        const response = await fetch(`${base}/exchangerates/rates/a/eur/${from}/${to}/?format=json`, {
          headers: { accept: 'application/json' },
          signal: AbortSignal.timeout(LONGEST_WAIT_MS),
          redirect: 'error',
        })
        // There was no table on these days.
        if (response.status === 404) return []
        const answer = response.ok ? Answer.safeParse(await response.json()) : null
        if (!answer?.success) return null
        return answer.data.rates.map(({ no, effectiveDate, mid }) => ({
          day: effectiveDate,
          tableNumber: no,
          rateE4: Math.round(mid * 10_000),
        }))
      } catch {
        return null
      }
    },
  }
}

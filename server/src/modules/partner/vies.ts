import { z } from 'zod'

/** What the register of the EU's VAT numbers knows of one. */
export interface ViesAnswer {
  isValid: boolean
  /** as registered; null where the member state does not tell */
  name: string | null
  address: string | null
}

export interface Vies {
  /** Null: the register, or the member state behind it, does not answer now. */
  ask(number: { countryCode: string; vatNumber: string }): Promise<ViesAnswer | null>
}

// A person waits for it, and the connection to the database with them.
const LONGEST_WAIT_MS = 8000

// Member states that keep names to themselves write dashes.
const told = z
  .string()
  .nullish()
  .transform((value) => (value && !/^-+$/.test(value.trim()) ? value.trim() : null))
const Answer = z.object({ valid: z.boolean(), name: told, address: told })

/** VIES by its REST interface (`…/rest-api/check-vat-number`), at the one address of the settings. */
export function createVies({ url }: { url: string }): Vies {
  const endpoint = `${url.replace(/\/+$/, '')}/check-vat-number`
  return {
    async ask(number) {
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(number),
          signal: AbortSignal.timeout(LONGEST_WAIT_MS),
          redirect: 'error',
        })
        // A member state that is away is answered with `actionSucceed: false` and without `valid`.
        const answer = response.ok ? Answer.safeParse(await response.json()) : null
        return answer?.success
          ? { isValid: answer.data.valid, name: answer.data.name, address: answer.data.address }
          : null
      } catch {
        return null
      }
    },
  }
}

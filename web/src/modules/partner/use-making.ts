import { useState } from 'react'
import { ApiError } from '../../kit/api/api-error.ts'
import { useErrorText, useFieldErrorText } from '../../kit/i18n/error-text.ts'

/** Makes something from a window: what is missing and what the server refused stands at the fields. */
export function useMaking(required: readonly { field: string; isMissing: boolean }[]) {
  const errorText = useErrorText()
  const fieldErrorText = useFieldErrorText()
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const refused = refusal instanceof ApiError ? refusal.errors : []
  const make = async (work: () => Promise<void>) => {
    setTried(true)
    if (isBusy || required.some(({ isMissing }) => isMissing)) return
    setBusy(true)
    setRefusal(null)
    try {
      await work()
    } catch (error) {
      setRefusal(error)
      setBusy(false)
    }
  }
  return {
    make,
    isBusy,
    errorAt: (field: string): string | undefined =>
      isTried && required.some((one) => one.field === field && one.isMissing)
        ? fieldErrorText('required')
        : refused.find(({ path }) => path === field || path.endsWith(`.${field}`))?.message,
    /** What belongs to no field */
    refused: refusal === null || refused.length > 0 ? null : errorText(refusal),
    /** Typing answers what was refused. */
    answer: () => setRefusal(null),
  }
}

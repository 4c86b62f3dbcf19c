import { useState } from 'react'

/** One try at something that may be refused: whether it runs, and what was said the last time. */
export function useAttempt() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  /** Runs the work; answers whether it succeeded. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
      return true
    } catch (error) {
      setFailure(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, attempt, reset: () => setFailure(null) }
}

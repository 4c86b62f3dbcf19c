import { useEffect, useState } from 'react'

/** Long enough for a typist's pause. */
const REST_MS = 300

interface Typed<Values> {
  values: () => Values
  context: { store: { subscribe: (listener: () => void) => () => void } }
}

/** The values of a form once the hand has rested: what a picture is drawn of. */
export function useRested<Values extends object>(form: Typed<Values>): Values {
  const [rested, setRested] = useState(form.values)
  const { subscribe } = form.context.store
  const read = form.values
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setRested(read()), REST_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [subscribe, read])
  return rested
}

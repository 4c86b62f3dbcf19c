import { useEffect } from 'react'
import { focusPath } from './focus-path.ts'

/** Goes to the field that the address names behind its `#`, once the form is there. */
export function useNamedField(): void {
  useEffect(() => {
    const path = decodeURIComponent(window.location.hash.slice(1))
    if (path !== '') focusPath(path)
  }, [])
}

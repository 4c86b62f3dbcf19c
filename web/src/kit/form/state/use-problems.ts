import { useCallback, useState } from 'react'
import { focusPath } from './focus-path.ts'
import type { Problem } from './form-context.ts'

interface Problems {
  problems: readonly Problem[]
  /** Brings a field into sight and into hand. */
  goTo: (path: string) => void
  /** Shows what is wrong and leads to the first of it. */
  refuse: (faults: readonly Problem[]) => void
  /** A field was typed into: what was said of it may hold no longer. */
  answer: (path: string) => void
  clear: () => void
}

/** What is wrong in a form, and the way there. `reveal` opens what hides a field. */
export function useProblems(reveal: (path: string) => void): Problems {
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const goTo = useCallback(
    (path: string) => {
      reveal(path)
      focusPath(path)
    },
    [reveal],
  )
  return {
    problems,
    goTo,
    refuse: (faults) => {
      setProblems(faults)
      if (faults.length > 0) goTo(faults[0]!.path)
    },
    answer: useCallback((path: string) => setProblems((known) => withoutPath(known, path)), []),
    clear: () => setProblems([]),
  }
}

const withoutPath = (problems: readonly Problem[], name: string): readonly Problem[] => {
  const left = problems.filter(
    ({ path }) => path !== name && !path.startsWith(`${name}.`) && !name.startsWith(`${path}.`),
  )
  return left.length === problems.length ? problems : left
}

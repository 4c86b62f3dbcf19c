import { useCallback, useMemo, useState } from 'react'
import { focusPath, asRead } from './focus-path.ts'
import type { Problem } from './form-context.ts'

interface Problems {
  /** Why nothing was saved, as the page is read */
  problems: readonly Problem[]
  /** What the summary of them is called */
  title: string
  /** The same, and what was seen on leaving a field before anybody saved */
  marked: readonly Problem[]
  /** Brings a field into sight and into hand. */
  goTo: (path: string) => void
  /** Shows what is wrong and leads to the first of it. */
  refuse: (faults: readonly Problem[], title: string) => void
  /** What a field was left with: wrong, with these words, or null. */
  remark: (path: string, message: string | null) => void
  /** A field was typed into: what was said of it may hold no longer. */
  answer: (path: string) => void
  clear: () => void
}

const NONE: readonly Problem[] = []

/** What is wrong in a form, and the way there. `reveal` opens what hides a field. */
export function useProblems(reveal: (path: string) => void): Problems {
  const [{ problems, title }, setRefused] = useState({ problems: NONE, title: '' })
  const [remarks, setRemarks] = useState(NONE)
  const goTo = useCallback(
    (path: string) => {
      reveal(path)
      focusPath(path)
    },
    [reveal],
  )
  const marked = useMemo(
    () => [...problems, ...remarks.filter(({ path }) => !problems.some((one) => one.path === path))],
    [problems, remarks],
  )
  return {
    problems,
    title,
    marked,
    goTo,
    refuse: (faults, words) => {
      const sorted = asRead(faults)
      setRefused({ problems: sorted, title: words })
      if (sorted.length > 0) goTo(sorted[0]!.path)
    },
    remark: useCallback(
      (path: string, message: string | null) =>
        setRemarks((known) => {
          const others = withoutPath(known, path)
          return message === null ? others : [...others, { path, message }]
        }),
      [],
    ),
    answer: useCallback((path: string) => {
      setRefused((known) => {
        const left = withoutPath(known.problems, path)
        return left === known.problems ? known : { ...known, problems: left }
      })
      setRemarks((known) => withoutPath(known, path))
    }, []),
    clear: () => {
      setRefused({ problems: NONE, title: '' })
      setRemarks(NONE)
    },
  }
}

const withoutPath = (problems: readonly Problem[], name: string): readonly Problem[] => {
  const left = problems.filter(
    ({ path }) => path !== name && !path.startsWith(`${name}.`) && !name.startsWith(`${path}.`),
  )
  return left.length === problems.length ? problems : left
}

import type { Problem } from '../../../kit/form/state/form-context.ts'

const NO_PROBLEMS: readonly Problem[] = []
/** What is wrong below a path; the same empty list where nothing is, so that a line is not drawn again. */
export const problemsOf = (problems: readonly Problem[], prefix: string): readonly Problem[] => {
  const own = problems.filter(({ path }) => path.startsWith(prefix))
  return own.length === 0 ? NO_PROBLEMS : own
}

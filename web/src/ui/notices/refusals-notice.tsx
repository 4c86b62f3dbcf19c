import { Notice } from './notice.tsx'

/** Why the server refused, sentence by sentence; nothing while it has not. */
export function RefusalsNotice({ refusals }: { refusals: readonly string[] }) {
  if (refusals.length === 0) return null
  return (
    <Notice tone="danger" isUrgent>
      {refusals.map((words) => (
        <p key={words}>{words}</p>
      ))}
    </Notice>
  )
}

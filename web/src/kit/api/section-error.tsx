import { Section } from '../../ui/page/section.tsx'
import { LoadError } from './load-error.tsx'

/** A section of a page that could not be read, in its own frame. */
export function SectionError({ title, ...rest }: { title: string; error: unknown; onRetry: () => void }) {
  return (
    <Section title={title}>
      <LoadError {...rest} />
    </Section>
  )
}

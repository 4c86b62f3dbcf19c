import { useId, useState, type ReactNode } from 'react'
import { Icon } from '../marks/icon.tsx'
import classes from './section.module.css'

interface SectionProps {
  title: ReactNode
  children: ReactNode
  /** What a folded section still says */
  summary?: ReactNode
  /** Buttons at the right of the header */
  actions?: ReactNode
  /** Before the title: a block's number */
  lead?: ReactNode
  /** For links and for the list of sections */
  id?: string
  isCollapsible?: boolean
  /** Without it the section keeps its own state. */
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  /** Tables reach the edges; fields do not. */
  isFlush?: boolean
  headingLevel?: 2 | 3
}

/** A card with a header; what it holds stays mounted while folded, so that nothing typed is lost. */
export function Section({
  title,
  children,
  summary,
  actions,
  lead,
  id,
  isCollapsible = false,
  isOpen,
  onToggle,
  isFlush = false,
  headingLevel = 2,
}: SectionProps) {
  const [isOpenHere, setOpenHere] = useState(true)
  const ownId = useId()
  const bodyId = `${id ?? ownId}-body`
  const open = !isCollapsible || (isOpen ?? isOpenHere)
  const Heading = headingLevel === 2 ? 'h2' : 'h3'
  const toggle = () => {
    setOpenHere(!open)
    onToggle?.(!open)
  }
  return (
    <section className={classes.section} id={id} aria-labelledby={`${ownId}-title`}>
      <header className={classes.header} data-collapsible={isCollapsible || undefined} data-closed={!open || undefined}>
        {lead}
        <Heading className={classes.title} id={`${ownId}-title`}>
          {isCollapsible ? (
            <button
              type="button"
              className={classes.toggle}
              aria-expanded={open}
              aria-controls={bodyId}
              onClick={toggle}
            >
              <Icon name={open ? 'chevronDown' : 'chevronRight'} />
              {title}
            </button>
          ) : (
            title
          )}
        </Heading>
        <span className={classes.summary}>{summary}</span>
        {actions}
      </header>
      <div id={bodyId} className={isFlush ? undefined : classes.body} hidden={!open}>
        {children}
      </div>
    </section>
  )
}

import type { Inline, Paragraph, RichText } from '@waybill/contract/kit/rich-text'
import { Fragment, type ReactNode } from 'react'
import { useEditorTools } from '../editor/editor-tools.ts'
import { numbered } from '../numbered.ts'
import classes from './text.module.css'

/** A field of the order where it stands in a text. */
export function VariableChip({ name, fallback = null }: { name: string; fallback?: string | null }) {
  const { lookOf } = useEditorTools()
  const { label, isKnown, title } = lookOf(name, fallback)
  return (
    <span
      className={classes.chip}
      data-unknown={isKnown ? undefined : true}
      data-spare={fallback === null ? undefined : true}
      title={title}
    >
      {label}
    </span>
  )
}

const marked = (node: Extract<Inline, { type: 'text' }>): ReactNode =>
  (node.marks ?? []).reduce<ReactNode>((inside, mark) => {
    if (mark.type === 'bold') return <strong>{inside}</strong>
    if (mark.type === 'italic') return <em>{inside}</em>
    return <span className={classes.link}>{inside}</span>
  }, node.text)

/** One line as it stands while nobody writes in it. */
export function StaticLine({ line }: { line: readonly Inline[] }) {
  return numbered(line).map(({ key, item: node }) => {
    if (node.type === 'hardBreak') return <br key={key} />
    if (node.type === 'variable') return <VariableChip key={key} name={node.attrs.key} fallback={node.attrs.fallback} />
    return <Fragment key={key}>{marked(node)}</Fragment>
  })
}

const words = ({ content = [] }: Paragraph) => (content.length === 0 ? <br /> : <StaticLine line={content} />)

/** A running text as it stands while nobody writes in it. */
export function StaticText({ text }: { text: RichText }) {
  return numbered(text).map(({ key, item: node }) => {
    if (node.type === 'paragraph') return <p key={key}>{words(node)}</p>
    const List = node.type === 'bulletList' ? 'ul' : 'ol'
    return (
      <List key={key}>
        {numbered(node.content).map((listed) => (
          <li key={listed.key}>
            {numbered(listed.item.content).map((paragraph) => (
              <p key={paragraph.key}>{words(paragraph.item)}</p>
            ))}
          </li>
        ))}
      </List>
    )
  })
}

import { Component, type ReactNode } from 'react'

interface Props {
  failure(problem: unknown, retry: () => void): ReactNode
  onReset(): void
  children: ReactNode
}

interface State {
  problem: unknown
  hasFailed: boolean
}

/** React needs a class to catch rendering errors. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { problem: undefined, hasFailed: false }

  static getDerivedStateFromError(problem: unknown): State {
    return { problem, hasFailed: true }
  }

  retry = () => {
    this.props.onReset()
    this.setState({ problem: undefined, hasFailed: false })
  }

  override render() {
    const { children, failure } = this.props
    return this.state.hasFailed ? failure(this.state.problem, this.retry) : children
  }
}

const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env

/** For a program that a test starts: no setting of whoever runs the tests, and what lets it start quickly. */
export const bareEnvironment: NodeJS.ProcessEnv = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS }

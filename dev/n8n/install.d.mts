export function run(
	command: string,
	args: string[],
	options?: { cwd?: string; env?: NodeJS.ProcessEnv; quiet?: boolean },
): Promise<void>;

export function install(
	folder: string,
	options: { label: string; minutes: number; rebuild?: string[] },
): Promise<void>;

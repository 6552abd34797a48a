/* What the program that prints kernel addresses shares with those who ask it. */
#ifndef SOURCE_BPF_NAMES_H
#define SOURCE_BPF_NAMES_H

#define NAMES_BATCH 32 /* the verifier walks every turn of the loop: 10 µs each */
#define NAMES_LENGTH 512 /* KSYM_NAME_LEN */

struct names_batch {
	unsigned long long address[NAMES_BATCH];
	char name[NAMES_BATCH][NAMES_LENGTH];
};

#endif

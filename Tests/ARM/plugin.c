// A plugin for QEMU that prints the number of instructions that a program executes.
//
// Debian's packages do not include the header of the interface
// (https://www.qemu.org/docs/master/devel/tcg-plugins.html), so its functions are declared here.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
typedef struct qemu_plugin_tb block;

size_t qemu_plugin_tb_n_insns(const block *);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, block *));
void qemu_plugin_register_vcpu_tb_exec_cb(block *, void (*)(unsigned, void *), int flags, void *data);
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *data);

EXPORT int qemu_plugin_version = VERSION;

static uint64_t total;

static void on_execution(unsigned processor, void *count) {
    (void)processor;
    total += (uintptr_t)count;
}

static void on_translation(plugin_id id, block *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(block, on_execution, 0, (void *)qemu_plugin_tb_n_insns(block));
}

static void at_exit(plugin_id id, void *data) {
    (void)id, (void)data;
    fprintf(stderr, "%llu\n", (unsigned long long)total);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments) {
    (void)info, (void)count, (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}

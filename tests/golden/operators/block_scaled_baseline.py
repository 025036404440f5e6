"""The bar, blockscale_gemm_e4m3fp16fp32_64x64x256: torch.matmul of the operands dequantised to float16.

FP8 (e4m3) storage, float32 accumulation, float16 result.
Run: python3 <this file>  (checks against float32, then times; needs a CUDA GPU)
"""
import torch

# The problem: C[M, N] = A[M, K] @ B[N, K].T, of FP8 with a scale a block; all row-major.
M, N, K = 64, 64, 256
DTYPE = torch.float8_e4m3fn
OUT_DTYPE = torch.float16
TOLERANCE = 0.005  # on the largest absolute error against float32


def kernel_fn(a, b, scale_a, scale_b, c=None):
    """A @ B.T of row-major a [M, K] and b [N, K], scaled, written to c where it is given."""
    a, b = dequantise(a, b, scale_a, scale_b)
    return torch.matmul(a.to(OUT_DTYPE), b.to(OUT_DTYPE).T, out=c)


def spread(generator, device, rows, steps):
    """Scales of 2^-3 to 2^3, so that none stands for its neighbour."""
    scale = (0.25 / K**0.5) ** 0.5 / 3.5
    powers = torch.randint(-3, 4, (rows, steps), generator=generator, device=device)
    return scale * torch.exp2(powers.to(torch.float32))


def make_inputs(seed, device="cuda"):
    """Normal A and B, and scales that give C a standard deviation of about 0.25 whatever K is."""
    generator = torch.Generator(device=device).manual_seed(seed)
    a = torch.randn((M, K), generator=generator, device=device).to(DTYPE)
    b = torch.randn((N, K), generator=generator, device=device).to(DTYPE)
    steps = (K - 1) // 128 + 1
    scale_a = spread(generator, device, M, steps)
    scale_b = spread(generator, device, (N - 1) // 128 + 1, steps)
    return a, b, scale_a, scale_b


def dequantise(a, b, scale_a, scale_b):
    """A and B with their scales, in float32."""
    a = a.to(torch.float32) * scale_a.repeat_interleave(128, 1)[:, :K]
    scale_b = scale_b.repeat_interleave(128, 0).repeat_interleave(128, 1)
    return a, b.to(torch.float32) * scale_b[:N, :K]


def reference(a, b, scale_a, scale_b):
    """The product in IEEE float32."""
    torch.backends.cuda.matmul.allow_tf32 = False
    a, b = dequantise(a, b, scale_a, scale_b)
    return torch.matmul(a, b.T)


def verify():
    """Checks kernel_fn against the reference, prints the verdict and returns it."""
    a, b, scale_a, scale_b = make_inputs(seed=0)
    c = torch.full((M, N), float("nan"), device=a.device, dtype=OUT_DTYPE)
    kernel_fn(a, b, scale_a, scale_b, c)
    worst = torch.zeros((), device=a.device)
    step = max(1, 2**28 // N)  # rows at a time: the reference of a large C would not fit
    for row in range(0, M, step):
        expected = reference(a[row:row + step], b, scale_a[row:row + step], scale_b)
        error = (c[row:row + step].to(torch.float32) - expected).abs().max()
        worst = torch.maximum(worst, error)  # a NaN stays
    max_abs_err = worst.item()
    passed = max_abs_err < TOLERANCE  # false for NaN
    print("VERIFY: PASS" if passed else f"VERIFY: FAIL max_abs_err={max_abs_err}")
    return passed


def bench(warmup=10, iters=50):
    """Times kernel_fn with CUDA events and prints the mean."""
    a, b, scale_a, scale_b = make_inputs(seed=1)
    c = torch.empty((M, N), device=a.device, dtype=OUT_DTYPE)
    for _ in range(warmup):
        kernel_fn(a, b, scale_a, scale_b, c)
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(iters):
        kernel_fn(a, b, scale_a, scale_b, c)
    end.record()
    torch.cuda.synchronize()
    elapsed_ms = start.elapsed_time(end) / iters
    tflops = 2 * M * N * K / elapsed_ms / 1e9
    print(f"TFLOPS: {tflops:.2f}   time_ms: {elapsed_ms:.3f}")


def kernel_names():
    """Names of the kernels that one call launches; `unknown` where no profiler works."""
    try:
        from torch.profiler import ProfilerActivity, profile

        a, b, scale_a, scale_b = make_inputs(seed=2)
        c = torch.empty((M, N), device=a.device, dtype=OUT_DTYPE)
        kernel_fn(a, b, scale_a, scale_b, c)
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as recorded:
            kernel_fn(a, b, scale_a, scale_b, c)
            torch.cuda.synchronize()
        names = [event.name for event in recorded.events()
                 if event.device_type == torch.autograd.DeviceType.CUDA
                 and not event.name.startswith(("Memset", "Memcpy"))]
    except Exception:  # a profiler is a convenience here, never a reason to fail
        names = []
    return ", ".join(names) or "unknown"


if __name__ == "__main__":
    if not verify():
        raise SystemExit(1)
    bench()
    print(f"KERNELS: {kernel_names()}")
